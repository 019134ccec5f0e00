/**
 * Escapes stored text for a terminal. Control characters, and characters that reorder or hide others, are printed as
 * codes. Otherwise a title could move the cursor or fake another line.
 */
const HIDDEN = '\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff'
const CONTROLS = new RegExp(`[\\u0000-\\u001f${HIDDEN}]`, 'g')
/** The characters to escape in JSON. `JSON.stringify` already escapes the other control characters. */
const HIDDEN_IN_JSON = new RegExp(`[${HIDDEN}]`, 'g')

const shown = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Escapes text that is part of a line. Newlines are escaped too. */
export const oneLine = (text: string): string =>
  text.replace(CONTROLS, (character) => (character === '\n' ? '\\n' : character === '\t' ? ' ' : shown(character)))

/** Escapes a block of text. Newlines and tabs stay. */
export const multiLine = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (character) => (character === '\n' || character === '\t' ? character : shown(character)))

/**
 * Formats JSON that is safe on a terminal, because `JSON.stringify` does not escape all control characters. Parsers
 * read the same value.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    HIDDEN_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
