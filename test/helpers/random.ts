/** Choices that a seed repeats. The machine decides when each happens. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). Mulberry32: short, and even enough for choosing. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** As likely short as long: from `low` to `high`, evenly by orders of magnitude. */
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
