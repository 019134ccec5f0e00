/** Removes from a text what could change the page or the order of the words after it. */

/** Matches the control sequences of terminals. */
export const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- see above
  /\u001B(?:\[([\d;:]*)([\u0040-\u007E])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[\u0020-\u007E])/g
// oxlint-disable-next-line no-control-regex -- control characters that are neither a tab nor a newline
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
/** Matches characters that change the direction of text. They could disguise output as something else. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g

/** Returns a line as a terminal finally shows it: text after a carriage return overwrites the line. */
const lastState = (line: string): string => {
  const parts = line.replace(/\r+$/, '').split('\r')
  return parts.at(-1) ?? ''
}

export const withoutControls = (text: string): string => text.replaceAll(CONTROL, '').replaceAll(DIRECTION, '\uFFFD')

/** Returns the text without colours and control characters. */
export const plainText = (text: string): string => withoutControls(lastStates(text).replaceAll(SEQUENCE, ''))

export const lastStates = (text: string): string =>
  text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text
