/** A cache for values from the store that is never stale. */
import type { Revision } from '../storage/store.ts'

interface Entry<T> {
  readonly revision: string
  readonly value: T
}

/**
 * Caches values together with the revision of the store before they were read. If a later request finds the same
 * revision, nothing was committed in between, so the cached value is still current.
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
