/** Random choices. The same seed always gives the same choices. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number in [0, 1). The algorithm is Mulberry32, which is short and uniform enough for the tests. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** Returns a whole number from `low` to `high`, including both. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /**
   * Returns a duration from `low` to `high`, uniform on a logarithmic scale, so that short durations are as likely as
   * long ones.
   */
  duration(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.next())
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.next() * values.length)]
  }

  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T | undefined {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    return choices.find(([weight]) => (left -= weight) < 0)?.[1]
  }
}
