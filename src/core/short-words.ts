/** Short words that cards are found by, such as labels. They are compared, so each has one spelling. */
export interface ShortWords {
  /** What the words are called in messages. */
  readonly many: string
  readonly rule: string
  /** The spelling of a word; null if the text is not one. */
  readonly of: (text: string) => string | null
}

/** For a field of the table: `shortWords('a label', 'labels')`. */
export const shortWords = (one: string, many: string): ShortWords => ({
  many,
  rule: `${one} has 1 to 50 characters without spaces and commas, and is not "none"`,
  of: wordFrom,
})

/** `none` is not a word: `muster edit --label none` removes all labels. */
function wordFrom(text: string): string | null {
  const word = text.trim().toLowerCase()
  return /^[^\s,]{1,50}$/u.test(word) && word !== 'none' ? word : null
}
