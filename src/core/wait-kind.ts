/**
 * What cards wait for, as the values of a filter. The store selects cards by their columns, and `why` explains one card
 * in detail.
 */
export const WAIT_KINDS = [
  /** The card needs a person: an answer, an approval, a review or another decision. */
  'person',
  'question',
  'approval',
  'review',
  /** The card failed too often. */
  'stopped',
  'parents',
  'hold',
  /** A scheduled time, or the end of the wait before a retry. */
  'time',
] as const
export type WaitKind = (typeof WAIT_KINDS)[number]
