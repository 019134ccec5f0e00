/** The width of a text in terminal columns. East Asian letters and emoji need two columns, accents none. */
const PLAIN = /^[\x20-\x7e]*$/

/** The ranges of characters that terminals draw in two columns (UAX #11). */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NONE = /^[\p{Mn}\p{Me}\u1160-\u11ff]$/u
/** The character that makes the character before it a wide emoji. */
const EMOJI_VARIATION = '\ufe0f'

export function columnsOf(character: string): number {
  if (character === EMOJI_VARIATION) return 1
  return NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Cuts a text to a width. The sign `…` marks the cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  let shown = ''
  let used = 0
  for (const character of text) {
    used += columnsOf(character)
    if (used > width - 1) break
    shown += character
  }
  return `${shown}…`
}

/** Pads or cuts a text to an exact width. */
export function fit(text: string, width: number): string {
  const shown = cutTo(text, width)
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)))
}
