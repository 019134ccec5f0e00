/** Remembers what was read from the store, without ever being stale. */
import type { Revision } from '../storage/store.ts'

interface Entry<T> {
  readonly revision: string
  readonly value: T
}

/**
 * Values that were read from the store. A value is remembered with the revision before it was read. If a later request
 * finds the same revision, nobody committed in the meantime, so the value is what the request would read itself.
 */
export class Remembered<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, { id }: Revision): T | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.revision === id ? entry.value : undefined
  }

  set(key: string, { id }: Revision, value: T): void {
    if (id === null) return
    this.#entries.delete(key)
    this.#entries.set(key, { revision: id, value })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest)
  }
}
