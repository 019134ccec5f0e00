/** Time that never goes back, and jumps of the wall clock against it. */

/** In milliseconds. Not `performance.now()`: its first use loads a module for 1 ms. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Detects that a user set the clock or the machine slept. For a while, wall times then give wrong ages and deadlines. */
export class ClockWatch {
  readonly #toleranceMs: number
  #difference: number | null = null

  /** `difference`: the one of an earlier watch in the same boot. */
  constructor({ toleranceMs = 5_000, difference = null }: { toleranceMs?: number; difference?: number | null } = {}) {
    this.#toleranceMs = toleranceMs
    this.#difference = difference
  }

  /** Wall clock minus monotonic clock at the last call of `hasJumped`; null before the first. */
  get difference(): number | null {
    return this.#difference
  }

  /** Whether the difference between the two clocks changed since the last call. */
  hasJumped(wallMs: number, monotonicMs: number): boolean {
    const before = this.#difference
    this.#difference = wallMs - monotonicMs
    return before !== null && Math.abs(this.#difference - before) > this.#toleranceMs
  }
}
