/**
 * Measures whether an agent makes progress, by its output and its heartbeats. Silence is measured by the monotonic
 * clock. So a changed system clock or a sleeping machine does not make an agent look stale.
 */
import { statSync } from 'node:fs'

/**
 * After the store was unreachable for a whole lease, the agent may be silent only for this share of the usual limit.
 */
const LAPSED_SHARE = 1 / 4

export interface Renewal {
  readonly leaseMs: number
  /** How long an agent may be silent before its run ends. 0 means no limit. */
  readonly staleMs: number
  readonly lastActivityAt: number | null
}

export class Activity {
  readonly #log: string
  readonly #clock: () => number
  #logMark: string | null
  #lastActivityAt: number | null = null
  #progressAt: number
  #renewedAt: number
  #lapsed = false

  constructor(log: string, clock: () => number = () => performance.now()) {
    this.#log = log
    this.#clock = clock
    this.#logMark = changeMark(log)
    this.#progressAt = clock()
    this.#renewedAt = this.#progressAt
  }

  /** Call this method when an agent starts, so that the silence before the start does not count. */
  begin(): void {
    this.#noteProgress()
  }

  /** Whether the agent has printed output since the previous call of this method. */
  hasPrinted(): boolean {
    const mark = changeMark(this.#log)
    const hasPrinted = mark !== this.#logMark
    this.#logMark = mark
    if (hasPrinted) this.#noteProgress()
    return hasPrinted
  }

  /** Whether the agent has been silent for too long. Call this method after each renewal of the lease. */
  isStale({ leaseMs, staleMs, lastActivityAt }: Renewal): boolean {
    const now = this.#clock()
    if (now - this.#renewedAt > leaseMs) this.#lapsed = true
    this.#renewedAt = now
    if (lastActivityAt !== this.#lastActivityAt) {
      if (this.#lastActivityAt !== null) this.#noteProgress()
      this.#lastActivityAt = lastActivityAt
    }
    const limitMs = this.#lapsed ? staleMs * LAPSED_SHARE : staleMs
    return staleMs > 0 && now - this.#progressAt >= limitMs
  }

  #noteProgress(): void {
    this.#progressAt = this.#clock()
    this.#lapsed = false
  }
}

/** A value that changes whenever the agent prints, even if the size of the log stays the same. */
function changeMark(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.size}:${found.mtimeMs}`
}
