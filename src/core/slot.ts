import type { SLOT_KINDS } from './vocabulary.ts'

/**
 * A machine, a board, an agent or an account: its open runs are counted against a cap, and a person may pause it. A claim
 * locks the row and counts again before it writes, so that two claims never exceed the cap together.
 */
export interface Slot {
  readonly kind: (typeof SLOT_KINDS)[number]
  readonly name: string
  readonly pausedAt: number | null
  readonly pausedBy: string | null
  readonly pauseReason: string | null
  /** When the pause ends. Null means that it lasts until the slot is resumed. */
  readonly pausedUntil: number | null
  /** When the last pause ended. Crashes before this moment no longer count. */
  readonly resumedAt: number | null
}
export type SlotKey = Pick<Slot, 'kind' | 'name'>

/** A slot that was never paused. */
export const freshSlot = ({ kind, name }: SlotKey): Slot => ({
  kind,
  name,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  pausedUntil: null,
  resumedAt: null,
})
