/** Counts durations in buckets, so that the cost of a scrape does not depend on the number of durations. */
import { histogram } from './metric-text.ts'
import type { Metric } from './metric-text.ts'

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** Makes a histogram. `bounds` are the upper bounds of the buckets in seconds, in order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(seconds: number): void {
    const found = this.#bounds.findIndex((bound) => seconds <= bound)
    const at = found === -1 ? this.#bounds.length : found
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += seconds
  }

  toMetric(name: string, help: string): Metric {
    const total = this.#countUpTo(this.#counts.length)
    return histogram(name, help, [
      ...this.#bounds.map((bound, at) => ({
        suffix: '_bucket',
        labels: { le: String(bound) },
        value: this.#countUpTo(at + 1),
      })),
      { suffix: '_bucket', labels: { le: '+Inf' }, value: total },
      { suffix: '_sum', value: this.#sum },
      { suffix: '_count', value: total },
    ])
  }

  /** Counts the durations up to a bound. In the text format, a bucket includes all smaller durations. */
  #countUpTo(end: number): number {
    return this.#counts.slice(0, end).reduce((sum, count) => sum + count, 0)
  }
}
