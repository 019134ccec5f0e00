/** Rules for texts: NUL and broken UTF-16 are refused, and all other text is stored unchanged. */

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/**
 * The reason why a text cannot be stored. Null means that the text can be stored. PostgreSQL does not allow NUL in
 * text. A lone surrogate cannot be encoded in UTF-8.
 */
export function textFault(value: string): string | null {
  if (value.includes('\0')) return 'contains a NUL character: remove it'
  if (LONE_SURROGATE.test(value)) return 'is not valid Unicode text: re-encode it as UTF-8'
  return null
}

/**
 * Removes characters that cannot be stored. This function is for texts that their author cannot correct, such as
 * program output.
 */
export const storable = (value: string): string =>
  value.replaceAll('\0', '').replaceAll(new RegExp(LONE_SURROGATE, 'g'), '\uFFFD')

/** The first `max` characters. The result is one character shorter if the cut would split a surrogate pair. */
export const cut = (value: string, max: number): string => value.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')

/** The last `max` characters. The result is one character shorter if the cut would split a surrogate pair. */
export const cutFront = (value: string, max: number): string =>
  value.length <= max ? value : value.slice(value.length - max).replace(/^[\uDC00-\uDFFF]/, '')

/** The first line that is not blank, cut to `max` characters. The result is empty if every line is blank. */
export function firstLine(value: string | null | undefined, max: number): string {
  const found = (value ?? '').split('\n').find((part) => part.trim() !== '')
  return cut((found ?? '').trim(), max)
}

/** Cuts a text to `max` characters. If `max` leaves room for it, adds a note that the text was cut. */
export function trimmedTo(value: string, max: number): string {
  if (value.length <= max) return value
  const note = `… (trimmed to ${max})`
  const ending = note.length < max ? note : '…'
  return `${cut(value, max - ending.length)}${ending}`
}

/** Cuts a text to `max` characters and adds a line with the number of characters left out. */
export function capped(value: string, max: number): string {
  const trimmed = value.trim()
  if (trimmed.length <= max) return trimmed
  const shown = cut(trimmed, max)
  return `${shown}\n[… ${trimmed.length - shown.length} more characters left out]`
}
