/** The visible comments: the newest page, which may change, and earlier pages that a person has opened. */
import type { CardDetails } from '../card-details.ts'

export type Comment = CardDetails['comments'][number]

export interface Comments {
  /** The visible comments, oldest first. */
  readonly shown: readonly Comment[]
  /** The number of comments before the first visible comment. */
  readonly earlier: number
}

type Page = Pick<CardDetails, 'comments' | 'earlierComments'>

export const firstPage = ({ comments, earlierComments }: Page): Comments => ({
  shown: comments,
  earlier: earlierComments,
})

/**
 * Returns the list after the newest page was read again. Comments that have left this page stay in the list. If the
 * page and the list do not overlap, comments are missing in between, so the list starts again with the page.
 */
export function withNewest(list: Comments, page: Page): Comments {
  const [first] = page.comments
  if (first === undefined) return firstPage(page)
  const at = list.shown.findIndex(({ id }) => id === first.id)
  if (at === -1) return firstPage(page)
  return { shown: [...list.shown.slice(0, at), ...page.comments], earlier: page.earlierComments - at }
}

/** Adds earlier comments. `page` contains the comments before the first one in the list. */
export const withEarlier = (list: Comments, page: Page): Comments => ({
  shown: [...page.comments, ...list.shown],
  earlier: page.earlierComments,
})
