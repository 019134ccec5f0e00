import type { SLOT_KINDS } from './vocabulary.ts'

/**
 * A machine, a board, an agent or an account with a limit on its open runs. A person may pause a slot. A claim counts
 * the runs of the slot again while no other claim can commit, so that two claims never exceed the limit together.
 */
export interface Slot {
  readonly kind: (typeof SLOT_KINDS)[number]
  readonly name: string
  readonly pausedAt: number | null
  readonly pausedBy: string | null
  readonly pauseReason: string | null
  /** The end of the pause. Null means that the pause lasts until a person resumes the slot. */
  readonly pausedUntil: number | null
  /** The end of the last pause. Crashes before this time do not count towards the next pause. */
  readonly resumedAt: number | null
}
export type SlotKey = Pick<Slot, 'kind' | 'name'>

/** The state of a slot that has never been paused. */
export const freshSlot = ({ kind, name }: SlotKey): Slot => ({
  kind,
  name,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  pausedUntil: null,
  resumedAt: null,
})
