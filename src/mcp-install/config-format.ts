/** Edits of a configuration text that leave everything else in it as it is. */

/** An entry in a file. */
export interface FoundServer {
  readonly value: unknown
  readonly line: number
}

/** The outermost thing that an install created: the file, the table of servers, or only the entry. */
export type Created = 'file' | 'servers' | 'entry'

/** A null text means that there is no file. Unreadable text throws a `TextFault`. */
export interface ConfigFormat {
  readonly find: (text: string | null) => FoundServer | null
  /** The outermost thing that `withEntry` would create. */
  readonly wouldCreate: (text: string | null) => Created
  /** The text with this entry, added after the others or replacing ours. */
  readonly withEntry: (text: string | null, entry: object) => string
  /** The text without the entry. The table or file that was created for it goes too, unless it has other contents. */
  readonly withoutEntry: (text: string, made: Created) => string | null
}

export const isBlank = (text: string): boolean => text.replace(BOM, '').trim() === ''

export const BOM = /^\ufeff/

export const endOfLine = (text: string): string => (/\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')
