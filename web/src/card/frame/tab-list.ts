/** The tabs of a card. The URL names the open tab. */
import type { CardDetails } from '../card-details.ts'

export const CARD_TABS = ['overview', 'transcript', 'changes', 'attempts', 'comments', 'history'] as const
export type CardTab = (typeof CARD_TABS)[number]

/** Returns the tab that the URL names, or the first tab. */
export const tabOf = (named: string | null): CardTab => CARD_TABS.find((tab) => tab === named) ?? 'overview'

type Counted = Pick<CardDetails, 'runs' | 'comments' | 'earlierComments'>

/** Returns the number beside each tab. An empty tab has no number. */
export function tabCounts({ runs, comments, earlierComments }: Counted): Readonly<Partial<Record<CardTab, number>>> {
  const changed = runs.findLast(({ changes }) => changes !== null)?.changes?.files ?? 0
  const counts = { changes: changed, attempts: runs.length, comments: earlierComments + comments.length }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
