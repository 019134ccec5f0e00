/**
 * Counts the runs that end, and measures how long cards wait before they start. Each reading covers the events since
 * the last one, so its cost depends on activity and not on the size of the boards.
 */
import type { BoardEvent } from '../../core/event.ts'
import type { RunId } from '../../core/ids.ts'
import type { Run } from '../../core/run.ts'
import type { Store } from '../../storage/store.ts'
import { Histogram } from './histogram.ts'
import { counter } from './metric-text.ts'
import type { Metric } from './metric-text.ts'

const PAGE = 500
/** The maximum number of pages in one reading. The next reading continues after them. */
const MOST_PAGES = 40
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200]

/** How long the card waited before the claim. Null means that the claim did not record it. */
type WaitedMs = number | null

export class RunCounts {
  readonly #store: Pick<Store, 'feed' | 'run'>
  readonly #open = new Map<RunId, WaitedMs>()
  readonly #ended = new Map<string, number>()
  readonly #latency = new Histogram(BOUNDS)
  /** The cursor of the last reading. Null before the first reading, which counts nothing from the past. */
  #cursor: string | null = null

  constructor(store: Pick<Store, 'feed' | 'run'>) {
    this.#store = store
  }

  /**
   * Counts the runs that ended since the last reading. The caller reads the `open` runs before this method reads the
   * events, so that no run that ends later is missed.
   */
  async read(open: readonly Pick<Run, 'id'>[]): Promise<void> {
    await this.#readClaims()
    for (const { id } of open) if (!this.#open.has(id)) this.#open.set(id, null)
    const stillOpen = new Set(open.map(({ id }) => id))
    for (const [id, waitedMs] of this.#open) if (!stillOpen.has(id)) await this.#count(id, waitedMs)
  }

  toMetrics = (): Metric[] => [
    counter(
      'muster_runs_ended_total',
      'Runs that ended since the first reading, by outcome.',
      [...this.#ended].map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    this.#latency.toMetric(
      'muster_dispatch_latency_seconds',
      'Time from the last change of a ready card, or the end of its wait, until its supervisor registered.',
    ),
  ]

  async #readClaims(): Promise<void> {
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const isFirst = this.#cursor === null
      const page = await this.#store.feed(this.#cursor, PAGE)
      this.#cursor = page.cursor
      if (!isFirst) for (const event of page.events) this.#noteClaim(event)
      if (!page.more) return
    }
  }

  #noteClaim({ kind, runId, data }: BoardEvent): void {
    if (kind !== 'claimed' || runId === null) return
    const { waitedMs } = data
    this.#open.set(runId, typeof waitedMs === 'number' ? waitedMs : null)
  }

  /** Counts a run that has ended. A run that was opened after `open` was read is left for the next reading. */
  async #count(id: RunId, waitedMs: WaitedMs): Promise<void> {
    const run = await this.#store.run(id)
    if (run !== null && run.endedAt === null) return
    this.#open.delete(id)
    // Null means that the run was deleted with its board.
    if (run?.outcome == null) return
    this.#ended.set(run.outcome, (this.#ended.get(run.outcome) ?? 0) + 1)
    if (waitedMs !== null && run.registeredAt !== null)
      this.#latency.observe(Math.max(0, waitedMs + run.registeredAt - run.startedAt) / 1000)
  }
}
