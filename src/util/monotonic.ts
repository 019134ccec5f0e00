/** A clock that never goes back, and the detection of jumps of the wall clock. */

/** In milliseconds. Not `performance.now()`: its first use loads a module for 1 ms. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Detects that the clock was set or the machine slept. Ages and deadlines are then wrong for a while. */
export class ClockWatch {
  readonly #toleranceMs: number
  #difference: number | null = null

  /** `difference` comes from an earlier watch since the same boot. */
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
