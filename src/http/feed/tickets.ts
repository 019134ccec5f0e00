/**
 * One-use tickets for clients that cannot send headers, such as `EventSource`. A ticket stands for the session that
 * requested it. It expires after its first use, or after half a minute.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashToken, newToken } from '../../util/mint.ts'
import { monotonicMs } from '../../util/monotonic.ts'

const VALID_MS = 30_000
/** The maximum number of valid tickets. When this number is exceeded, the oldest ticket becomes invalid. */
const MOST = 1_000

interface Issued<Session> {
  readonly hash: Buffer
  readonly session: Session
  readonly expiresAt: number
}

export class Tickets<Session> {
  readonly #now: () => number
  #issued: readonly Issued<Session>[] = []

  constructor(now: () => number = monotonicMs) {
    this.#now = now
  }

  create(session: Session): string {
    const ticket = newToken()
    const issued = { hash: digest(ticket), session, expiresAt: this.#now() + VALID_MS }
    this.#issued = [...this.#valid(), issued].slice(-MOST)
    return ticket
  }

  /** Returns the session of a valid ticket, and makes the ticket invalid. Returns null if the ticket is not valid. */
  redeem(ticket: string): Session | null {
    const hash = digest(ticket)
    const valid = this.#valid()
    const found = valid.filter((issued) => timingSafeEqual(issued.hash, hash))
    this.#issued = valid.filter((issued) => !found.includes(issued))
    return found[0]?.session ?? null
  }

  #valid(): readonly Issued<Session>[] {
    return this.#issued.filter(({ expiresAt }) => expiresAt > this.#now())
  }
}

const digest = (ticket: string): Buffer => Buffer.from(hashToken(ticket), 'hex')
