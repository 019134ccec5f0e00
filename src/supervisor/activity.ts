/**
 * Whether the agent gets on: it printed something, or said so by a heartbeat. Silence is counted in running time, so
 * neither a clock that is set nor a machine that sleeps makes an agent stale.
 */
import { statSync } from 'node:fs'

/** Of the time that an agent may be silent, so much counts once nobody could hear it for a whole lease. */
const LAPSED_SHARE = 1 / 4

export interface Renewal {
  readonly leaseMs: number
  /** Silence that ends the run; 0: none does. */
  readonly staleMs: number
  readonly lastActivityAt: number | null
}

export class Activity {
  readonly #log: string
  readonly #clock: () => number
  #printed: string | null
  #said: number | null = null
  #movedAt: number
  #renewedAt: number
  #lapsed = false

  constructor(log: string, clock: () => number = () => performance.now()) {
    this.#log = log
    this.#clock = clock
    this.#printed = markOf(log)
    this.#movedAt = clock()
    this.#renewedAt = this.#movedAt
  }

  /** An agent starts: what was before is not its silence. */
  begin(): void {
    this.#move()
  }

  /** Whether something was printed since the last look. */
  hasPrinted(): boolean {
    const mark = markOf(this.#log)
    const moved = mark !== this.#printed
    this.#printed = mark
    if (moved) this.#move()
    return moved
  }

  /** What a renewal told; whether the agent has been silent for too long. */
  isStale({ leaseMs, staleMs, lastActivityAt }: Renewal): boolean {
    const now = this.#clock()
    if (now - this.#renewedAt > leaseMs) this.#lapsed = true
    this.#renewedAt = now
    if (lastActivityAt !== this.#said) {
      if (this.#said !== null) this.#move()
      this.#said = lastActivityAt
    }
    const limitMs = this.#lapsed ? staleMs * LAPSED_SHARE : staleMs
    return staleMs > 0 && now - this.#movedAt >= limitMs
  }

  #move(): void {
    this.#movedAt = this.#clock()
    this.#lapsed = false
  }
}

/** Changes with every output, also with one that replaces an older one. */
function markOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.size}:${found.mtimeMs}`
}
