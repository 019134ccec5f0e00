/** Edits a configuration text, and leaves everything except the entry as it is. */

/** An entry in a file. */
export interface FoundServer {
  readonly value: unknown
  readonly line: number
}

/** The outermost thing that an install created: the file, the table of servers, or only the entry. */
export type Created = 'file' | 'servers' | 'entry'

/** A null text means that there is no file. Text that cannot be parsed throws a `TextFault`. */
export interface ConfigFormat {
  readonly find: (text: string | null) => FoundServer | null
  /** The outermost thing that `withEntry` would create. */
  readonly wouldCreate: (text: string | null) => Created
  /** Returns the text with this entry. The entry replaces ours, or is added after the others. */
  readonly withEntry: (text: string | null, entry: object) => string
  /**
   * Returns the text without the entry. If the install created the table or the file, it is removed too, unless it has
   * other contents. Null means that the file is removed.
   */
  readonly withoutEntry: (text: string, made: Created) => string | null
}

export const isBlank = (text: string): boolean => text.replace(BOM, '').trim() === ''

export const BOM = /^\ufeff/

export const endOfLine = (text: string): string => (/\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')
