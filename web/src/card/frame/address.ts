/** The fields of the URL that belong to the open card. All other fields belong to the screen behind it. */

/** The fields that stay when another card opens. */
const OF_DRAWER = ['tab', 'page']
/** The fields that name a part of one card, such as an attempt or a file. */
const OF_CARD = ['run', 'rows', 'search', 'file', 'comment']

const without = (search: string, names: readonly string[]): string => {
  const query = new URLSearchParams(search)
  for (const name of names) query.delete(name)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Returns the query of the URL after the card is closed. */
export const searchAfterClose = (search: string): string => without(search, [...OF_DRAWER, ...OF_CARD])

/** Returns the query of the URL of another card. */
export const searchForOther = (search: string): string => without(search, OF_CARD)
