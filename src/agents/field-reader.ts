/** Reads the settings of a file one by one, and collects all faults. */
import type { FrontMatterField, AgentFileFault } from './front-matter.ts'

type Read<T> = { readonly value: T } | { readonly fault: string; readonly item?: number }
export type FieldParser<T> = (value: unknown) => Read<T>

export class FieldReader {
  readonly #entries: ReadonlyMap<string, FrontMatterField>
  readonly #faults: AgentFileFault[] = []

  constructor(entries: ReadonlyMap<string, FrontMatterField>) {
    this.#entries = entries
  }

  /** All faults in the order of their lines, so that the user can fix all of them at once. */
  get faults(): readonly AgentFileFault[] {
    return this.#faults.toSorted((a, b) => a.line - b.line)
  }

  /** Reads a setting. Returns null if the setting is missing or not valid. If it is not valid, a fault is added too. */
  take<T>(field: string, read: FieldParser<T>): T | null {
    if (!this.has(field)) return null
    const found = read(this.#entries.get(field)?.value)
    if ('value' in found) return found.value
    this.addFault(field, found.fault, found.item)
    return null
  }

  /** Whether the setting has a value. An empty setting counts as missing. */
  has(field: string): boolean {
    const value = this.#entries.get(field)?.value
    return value !== undefined && value !== null && value !== '' && value !== '~' && value !== 'null'
  }

  addFault(field: string, message: string, item?: number): void {
    this.#faults.push({ line: this.#entries.get(field)?.lineOf(item) ?? 1, field, message })
  }

  rejectUnknown(known: readonly string[]): void {
    for (const field of this.#entries.keys())
      if (!known.includes(field)) this.addFault(field, `unknown setting: use ${known.join(', ')}`)
  }
}
