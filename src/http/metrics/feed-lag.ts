/** Measures the time from the transaction of an event until the live feed sends the event. */
import { Histogram } from './histogram.ts'
import type { Metric } from './metric-text.ts'

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export class FeedLag {
  readonly #histogram = new Histogram(BOUNDS)
  /**
   * The difference between the store's clock and the clock of this process. This is null until a scrape has read both.
   */
  #offsetMs: number | null = null

  setStoreClock(now: number): void {
    this.#offsetMs = now - Date.now()
  }

  /** Records the lag of an event that is sent now. `createdAt` is the time of the event by the store's clock. */
  observe(createdAt: number): void {
    if (this.#offsetMs !== null) this.#histogram.observe(Math.max(0, Date.now() + this.#offsetMs - createdAt) / 1000)
  }

  toMetric = (): Metric =>
    this.#histogram.toMetric('muster_feed_lag_seconds', 'Time from an event until the live feed sends it.')
}
