/**
 * Makes characters visible that could hide a part of a command: control characters, and marks that change the direction
 * or have no width. A person who approves a command must see exactly the text that the machine would run.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu

export const visibleText = (text: string): string =>
  text.replaceAll(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
