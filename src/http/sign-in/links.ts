/** One-time links. The code is in the fragment, which browsers never send, so it is in no log or Referer. */
import { expiryOfCode, newSignInCode, signInUrl } from '../../config/sign-in-code.ts'
import type { Place } from '../place.ts'

export class Links {
  readonly #key: string
  readonly #now: () => number
  /** The used codes that have not expired, with the time of their expiry. */
  readonly #used = new Map<string, number>()

  /** `key`: also in the file of the server, so that `muster open` can make links. */
  constructor(key: string, now: () => number = Date.now) {
    this.#key = key
    this.#now = now
  }

  newLink({ url }: Pick<Place, 'url'>): string {
    return signInUrl(url, newSignInCode(this.#key, this.#now()))
  }

  /** Returns whether the code is valid. It is not valid a second time. */
  redeem(code: string): boolean {
    const now = this.#now()
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used)
    const expiry = expiryOfCode(this.#key, code, now)
    if (expiry === null || this.#used.has(code)) return false
    this.#used.set(code, expiry)
    return true
  }
}
