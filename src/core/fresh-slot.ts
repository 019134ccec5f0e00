import type { Slot, SlotKey } from './slot.ts'

/** How a place is before anybody paused it. */
export const freshSlot = ({ kind, name }: SlotKey): Slot => ({
  kind,
  name,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  pausedUntil: null,
  resumedAt: null,
})
