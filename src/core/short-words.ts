/**
 * Rules for short words that describe cards, such as labels. Each word has one spelling, so that equal words compare as
 * equal.
 */
export interface ShortWords {
  /** The plural that messages use, such as "labels". */
  readonly many: string
  readonly rule: string
  /** Returns the word in the form in which it is stored. Returns null if the text is not a valid word. */
  readonly of: (text: string) => string | null
}

/** Builds the rule for a field of the card. Example: `shortWords('a label', 'labels')`. */
export const shortWords = (one: string, many: string): ShortWords => ({
  many,
  rule: `${one} has 1 to 50 characters without spaces and commas, and is not "none"`,
  of: wordFrom,
})

/**
 * Returns the word, or null if it is not valid. `none` is not valid, because `muster edit --label none` removes all
 * labels.
 */
function wordFrom(text: string): string | null {
  const word = text.trim().toLowerCase()
  return /^[^\s,]{1,50}$/u.test(word) && word !== 'none' ? word : null
}
