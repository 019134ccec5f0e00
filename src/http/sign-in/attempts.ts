/**
 * Limits failed sign-ins by address. A valid code is never refused. Otherwise any website could lock the user out, by
 * opening the sign-in page with wrong codes in the user's own browser.
 */
import { BoardError } from '../../core/errors.ts'

const WINDOW_MS = 60_000
const MOST = 10
/** The maximum number of addresses to remember. When this number is exceeded, the oldest address is forgotten. */
const ADDRESSES = 1_000

export class Attempts {
  readonly #now: () => number
  readonly #failures = new Map<string, { since: number; count: number }>()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  requireFew(address: string): void {
    const known = this.#failures.get(address)
    if (known === undefined || known.count < MOST) return
    if (this.#now() - known.since > WINDOW_MS) this.#failures.delete(address)
    else throw new BoardError('too_many_attempts', 'Too many failed sign-ins. Wait a minute, then run: muster open')
  }

  recordFailure(address: string): void {
    const known = this.#failures.get(address)
    if (known !== undefined && this.#now() - known.since <= WINDOW_MS) known.count += 1
    else this.#failures.set(address, { since: this.#now(), count: 1 })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > ADDRESSES && oldest !== undefined) this.#failures.delete(oldest)
  }
}
