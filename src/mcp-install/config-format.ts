/** What can be done with the text of a configuration without printing it anew: what others wrote stays as it is. */

/** An entry as its file has it. */
export interface Found {
  readonly value: unknown
  readonly line: number
}

/** What of it was not there before: the file, the table of servers, or only the entry. */
export type Made = 'file' | 'servers' | 'entry'

/** No text: there is no file. Whatever cannot be read is a `TextFault`. */
export interface ConfigFormat {
  readonly find: (text: string | null) => Found | null
  /** What putting an entry in would make. */
  readonly makes: (text: string | null) => Made
  /** The text with this entry: a new one behind the others, or instead of the one that is there. */
  readonly put: (text: string | null, entry: object) => string
  /** The text without the entry, and without what was made for it, unless others use that by now. */
  readonly take: (text: string, made: Made) => string | null
}

export const isBlank = (text: string): boolean => text.replace(BOM, '').trim() === ''

export const BOM = /^\ufeff/

export const endOfLine = (text: string): string => (/\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')
