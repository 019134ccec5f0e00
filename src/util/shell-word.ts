/** Quotes a text as one word of a POSIX shell, if quotes are needed. So users can paste a printed command. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
