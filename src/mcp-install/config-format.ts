/** Edits of a configuration text that leave everything else in it as it is. */

/** An entry in a file. */
export interface Found {
  readonly value: unknown
  readonly line: number
}

/** What an install created: the file, the table of servers, or only the entry. */
export type Made = 'file' | 'servers' | 'entry'

/** A null text means that there is no file. Unreadable text throws a `TextFault`. */
export interface ConfigFormat {
  readonly find: (text: string | null) => Found | null
  /** What `put` would create. */
  readonly makes: (text: string | null) => Made
  /** The text with this entry, added after the others or replacing ours. */
  readonly put: (text: string | null, entry: object) => string
  /** The text without the entry, and without what was created for it, unless it is in use. */
  readonly take: (text: string, made: Made) => string | null
}

export const isBlank = (text: string): boolean => text.replace(BOM, '').trim() === ''

export const BOM = /^\ufeff/

export const endOfLine = (text: string): string => (/\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')
