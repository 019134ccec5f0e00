/** One-time links. A link has a code in its fragment, which browsers never send, so it is in no log or Referer. */
import { hashToken, newToken } from '../../util/mint.ts'
import type { Place } from '../place.ts'

const LIFE_MS = 15 * 60_000
const MOST = 20

export class Links {
  readonly #now: () => number
  /** The hash of each code, with the time until which it is valid. */
  readonly #codes = new Map<string, number>()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  newCode(): string {
    const code = newToken()
    this.#codes.set(hashToken(code), this.#now() + LIFE_MS)
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > MOST && oldest !== undefined) this.#codes.delete(oldest)
    return code
  }

  newLink({ url }: Pick<Place, 'url'>): string {
    return `${url}/sign-in#${this.newCode()}`
  }

  /** Returns whether the code was valid. It is not valid a second time. */
  redeem(code: string): boolean {
    const hash = hashToken(code)
    const until = this.#codes.get(hash)
    this.#codes.delete(hash)
    return until !== undefined && this.#now() < until
  }
}
