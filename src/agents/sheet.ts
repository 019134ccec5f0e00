/** The settings of a file as they are read one by one, and what was found wrong with them. */
import type { Entry, Fault } from './front-matter.ts'

type Read<T> = { readonly value: T } | { readonly fault: string; readonly item?: number }
export type Reader<T> = (value: unknown) => Read<T>

export class Sheet {
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #faults: Fault[] = []

  constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries
  }

  /** All at once, in the order of the lines: who mends a file mends it once. */
  get faults(): readonly Fault[] {
    return this.#faults.toSorted((a, b) => a.line - b.line)
  }

  /** Null when the setting is left out, or was not readable, which is noted. */
  take<T>(field: string, read: Reader<T>): T | null {
    if (!this.has(field)) return null
    const found = read(this.#entries.get(field)?.value)
    if ('value' in found) return found.value
    this.complain(field, found.fault, found.item)
    return null
  }

  /** A setting that is named and left blank is as good as left out. */
  has(field: string): boolean {
    const value = this.#entries.get(field)?.value
    return value !== undefined && value !== null && value !== '' && value !== '~' && value !== 'null'
  }

  complain(field: string, message: string, item?: number): void {
    this.#faults.push({ line: this.#entries.get(field)?.lineOf(item) ?? 1, field, message })
  }

  refuseOthers(known: readonly string[]): void {
    for (const field of this.#entries.keys())
      if (!known.includes(field)) this.complain(field, `no such setting: there are ${known.join(', ')}`)
  }
}
