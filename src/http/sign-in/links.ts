/**
 * One-time links for signing in. The code is in the fragment of the URL, which browsers never send. So the code appears
 * in no log and no Referer header.
 */
import { expiryOfCode, newSignInCode, signInUrl } from '../../config/sign-in-code.ts'
import type { Place } from '../place.ts'

/** The state of a code. `unknown` means that the code is from another server, or was cut when it was copied. */
export type Redeemed = 'valid' | 'used' | 'expired' | 'unknown'

export class Links {
  readonly #key: string
  readonly #now: () => number
  /** The used codes that have not expired, each with its expiry time. */
  readonly #used = new Map<string, number>()

  /** Manages the links of one server. The server's file also contains `key`, so that `muster open` can create links. */
  constructor(key: string, now: () => number = Date.now) {
    this.#key = key
    this.#now = now
  }

  newLink({ url }: Pick<Place, 'url'>): string {
    return signInUrl(url, newSignInCode(this.#key, this.#now()))
  }

  /** Checks a code. The code becomes invalid with this call. */
  redeem(code: string): Redeemed {
    const now = this.#now()
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used)
    const expiry = expiryOfCode(this.#key, code)
    if (expiry === null) return 'unknown'
    if (expiry <= now) return 'expired'
    if (this.#used.has(code)) return 'used'
    this.#used.set(code, expiry)
    return 'valid'
  }
}
