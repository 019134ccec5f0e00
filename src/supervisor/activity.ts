/**
 * Whether the agent makes progress: output or a heartbeat. Silence is counted in running time, so neither a changed clock
 * nor a sleeping machine makes an agent stale.
 */
import { statSync } from 'node:fs'

/** The share of the silence limit that applies after the store was unreachable for a whole lease. */
const LAPSED_SHARE = 1 / 4

export interface Renewal {
  readonly leaseMs: number
  /** Silence that ends the run; 0: never. */
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

  /** An agent starts: its silence is counted from now. */
  begin(): void {
    this.#move()
  }

  /** Whether the agent printed something since the last call. */
  hasPrinted(): boolean {
    const mark = markOf(this.#log)
    const moved = mark !== this.#printed
    this.#printed = mark
    if (moved) this.#move()
    return moved
  }

  /** Takes the result of a renewal; returns whether the agent has been silent for too long. */
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

/** Changes with every output, even if it replaces an older one. */
function markOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.size}:${found.mtimeMs}`
}
