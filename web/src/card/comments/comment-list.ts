/** The comments that are shown: the newest page, which changes, and the earlier pages that a person has opened. */
import type { CardDetails } from '../card-details.ts'

export type Comment = CardDetails['comments'][number]

export interface Comments {
  /** The shown comments, from the oldest to the newest. */
  readonly shown: readonly Comment[]
  /** The number of comments before the first shown comment. */
  readonly earlier: number
}

type Page = Pick<CardDetails, 'comments' | 'earlierComments'>

export const firstPage = ({ comments, earlierComments }: Page): Comments => ({
  shown: comments,
  earlier: earlierComments,
})

/**
 * Returns the list after the newest page was read again. Comments that left this page stay in the list. If the page
 * does not overlap with the list, comments between them are missing, so the list begins again.
 */
export function withNewest(list: Comments, page: Page): Comments {
  const [first] = page.comments
  if (first === undefined) return firstPage(page)
  const at = list.shown.findIndex(({ id }) => id === first.id)
  if (at === -1) return firstPage(page)
  return { shown: [...list.shown.slice(0, at), ...page.comments], earlier: page.earlierComments - at }
}

/** Adds earlier comments. `page` has the comments before the first comment of the list. */
export const withEarlier = (list: Comments, page: Page): Comments => ({
  shown: [...page.comments, ...list.shown],
  earlier: page.earlierComments,
})
