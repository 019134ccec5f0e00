/**
 * Notices when the wall clock and the running time of this process part: somebody set the clock, or the machine slept.
 * What the wall says of ages and deadlines is not to be trusted for a while then.
 */
export class ClockWatch {
  readonly #toleranceMs: number
  #difference: number | null = null

  /** `difference`: as an earlier watch left it, in the same boot. */
  constructor({ toleranceMs = 5_000, difference = null }: { toleranceMs?: number; difference?: number | null } = {}) {
    this.#toleranceMs = toleranceMs
    this.#difference = difference
  }

  /** The wall clock minus the running time at the last look; null before the first. */
  get difference(): number | null {
    return this.#difference
  }

  /** Whether they parted since the last look. Both in milliseconds; the second only ever goes forward. */
  hasJumped(wallMs: number, runningMs: number): boolean {
    const before = this.#difference
    this.#difference = wallMs - runningMs
    return before !== null && Math.abs(this.#difference - before) > this.#toleranceMs
  }
}
