/** Matches the markers of list items: `- `, `* `, `1. `, `1) `, and `[ ] ` for an open item. */
const LIST_PREFIX = /^(?:[-*+•]\s+|\d+[.)]\s+)?(?:\[ ?\]\s+)?/

/** The lines of a pasted list, without empty lines and list markers. */
export const titlesIn = (text: string): readonly string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(LIST_PREFIX, '').trim())
    .filter((title) => title !== '' && !/^[-*+•]$/.test(title))
