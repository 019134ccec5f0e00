/** Edits the text of a configuration file. Only Muster's entry changes. */

/** An entry that was found in a file. */
export interface FoundServer {
  readonly value: unknown
  readonly line: number
}

/** The outermost part that an install created: the file, the table of servers, or only the entry. */
export type Created = 'file' | 'servers' | 'entry'

/**
 * The editing functions for one file format. If the text is null, the file does not exist. A text that cannot be parsed
 * leads to a `TextFault`.
 */
export interface ConfigFormat {
  readonly find: (text: string | null) => FoundServer | null
  /** The outermost part that `withEntry` would create. */
  readonly wouldCreate: (text: string | null) => Created
  /**
   * Returns the text with this entry. The entry replaces an earlier entry of Muster. If the text has no earlier entry,
   * this entry is added after all other entries.
   */
  readonly withEntry: (text: string | null, entry: object) => string
  /**
   * Returns the text without Muster's entry. If the install created the table or the file, that is removed too, unless
   * it has other content. Null means that the file must be removed.
   */
  readonly withoutEntry: (text: string, made: Created) => string | null
}

export const isBlank = (text: string): boolean => text.replace(BOM, '').trim() === ''

export const BOM = /^\ufeff/

export const endOfLine = (text: string): string => (/\r\n|\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')
