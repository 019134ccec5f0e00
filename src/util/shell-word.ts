/** Quotes a text as one word of a POSIX shell, only if needed, so that users can paste a printed command. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
