/**
 * Measures whether an agent makes progress, by its output and its heartbeats. Silence is measured by the monotonic
 * clock, so neither a changed clock nor a sleeping machine makes an agent stale.
 */
import { statSync } from 'node:fs'

/** If the store was unreachable for a whole lease, the agent may be silent only for this share of the limit. */
const LAPSED_SHARE = 1 / 4

export interface Renewal {
  readonly leaseMs: number
  /** How long an agent may be silent before its run ends; 0 means no limit. */
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

  /** Called when an agent starts: its silence counts from now. */
  begin(): void {
    this.#noteProgress()
  }

  /** Whether the agent printed something since the last call. */
  hasPrinted(): boolean {
    const mark = changeMark(this.#log)
    const hasPrinted = mark !== this.#logMark
    this.#logMark = mark
    if (hasPrinted) this.#noteProgress()
    return hasPrinted
  }

  /** Called after each renewal. Returns whether the agent has been silent for too long. */
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

/** Changes with every output, even if the size of the log stays the same. */
function changeMark(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.size}:${found.mtimeMs}`
}
