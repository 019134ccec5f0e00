import type { Outputs } from '../../../src/client/index.ts'

/**
 * Everything about a card that the operation `show` returns, including its runs, attachments, events, and newest
 * comments.
 */
export type CardDetails = Outputs['show']
export type CardRun = CardDetails['runs'][number]

/** The props of each tab of a card. */
export interface TabProps {
  readonly card: CardDetails
}
