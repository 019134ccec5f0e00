/**
 * Escapes stored text for a terminal. Control characters, and characters that reorder or hide others, are printed as
 * codes: a title must not move the cursor or fake another line.
 */
const HIDDEN = '\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff'
const CONTROLS = new RegExp(`[\\u0000-\\u001f${HIDDEN}]`, 'g')
/** JSON escapes the other control characters itself. */
const HIDDEN_IN_JSON = new RegExp(`[${HIDDEN}]`, 'g')

const shown = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** For text within a line: newlines are escaped too. */
export const oneLine = (text: string): string =>
  text.replace(CONTROLS, (character) => (character === '\n' ? '\\n' : character === '\t' ? ' ' : shown(character)))

/** For a block of text: newlines and tabs are kept. */
export const multiLine = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (character) => (character === '\n' || character === '\t' ? character : shown(character)))

/** JSON that is safe on a terminal: `JSON.stringify` leaves some control characters as they are. Parsers read the same value. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(
    HIDDEN_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
