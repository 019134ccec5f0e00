/**
 * Limits failed sign-ins. It never refuses a valid code: any website can open the sign-in page with a wrong code, and
 * would otherwise lock out the user, who has the same address.
 */
import { BoardError } from '../../core/errors.ts'

const WINDOW_MS = 60_000
const MOST = 10
/** When this many addresses are known, the oldest is dropped, so that the memory is bounded. */
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
