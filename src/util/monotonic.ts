/** A clock that never goes back, and a watch that detects jumps of the system clock. */

/**
 * The monotonic time in milliseconds. `performance.now()` is not used, because its first use loads a module for 1 ms.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/**
 * Detects that the system clock was changed or that the machine slept. Afterwards, ages and deadlines are wrong for a
 * while.
 */
export class ClockWatch {
  readonly #toleranceMs: number
  #difference: number | null = null

  /** `difference` is the value of an earlier watch since the same boot of the machine. */
  constructor({ toleranceMs = 5_000, difference = null }: { toleranceMs?: number; difference?: number | null } = {}) {
    this.#toleranceMs = toleranceMs
    this.#difference = difference
  }

  /**
   * The difference between the system clock and the monotonic clock at the last call of `hasJumped`. This is null
   * before the first call.
   */
  get difference(): number | null {
    return this.#difference
  }

  /** Whether the difference between the two clocks has changed since the last call. */
  hasJumped(wallMs: number, monotonicMs: number): boolean {
    const before = this.#difference
    this.#difference = wallMs - monotonicMs
    return before !== null && Math.abs(this.#difference - before) > this.#toleranceMs
  }
}
