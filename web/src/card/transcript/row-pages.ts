/**
 * Keeps part of a transcript in memory: the rows near the visible part, read from the server by range. A log may have a
 * million rows, so distant rows are dropped.
 */
import type { Outputs } from '../../../../src/client/index.ts'
import { makeValue } from '../../app-state/value.ts'

export type RowsPage = Outputs['transcriptRows']
export type Row = RowsPage['rows'][number]
export type RowOf<Kind extends Row['kind']> = Extract<Row, { readonly kind: Kind }>

/** A range of rows to read. Without `from`, it means the last rows. */
export interface RowsAsked {
  readonly from?: number
  readonly limit: number
}

export type ReadRows = (asked: RowsAsked, signal: AbortSignal) => Promise<RowsPage>

export interface PagesState {
  readonly total: number
  readonly isLive: boolean
  readonly isLoaded: boolean
  readonly error: unknown
  /** A number that changes whenever rows change. */
  readonly version: number
}

interface Kept {
  readonly row: Row
  /** Whether the row is final. */
  readonly isFinal: boolean
  /** The number of the refresh that last read this row. */
  readonly round: number
}

const PAGE = 100
const AROUND = 40
const KEPT_MAX = 3_000

export class RowPages {
  readonly state = makeValue<PagesState>({ total: 0, isLive: true, isLoaded: false, error: null, version: 0 })
  readonly #read: ReadRows
  readonly #rows = new Map<number, Kept>()
  readonly #stop = new AbortController()
  #wanted = { from: 0, to: 0 }
  #round = 0
  #mustRefresh = true
  #isReading = false

  constructor(read: ReadRows) {
    this.#read = read
  }

  rowAt(position: number): Row | undefined {
    return this.#rows.get(position)?.row
  }

  /** The number of rows in memory. */
  get size(): number {
    return this.#rows.size
  }

  /** Sets the range of visible rows. The end position is exclusive. */
  want(from: number, to: number): void {
    this.#wanted = { from: Math.max(0, from - AROUND), to: to + AROUND }
    this.#pump()
  }

  /** There may be new rows. */
  refresh(): void {
    this.#round += 1
    this.#mustRefresh = true
    this.#pump()
  }

  stop(): void {
    this.#stop.abort()
  }

  #pump(): void {
    if (this.#isReading || this.#stop.signal.aborted) return
    const asked = this.#next()
    if (asked === null) return
    this.#isReading = true
    const round = this.#round
    this.#mustRefresh = false
    this.#read(asked, this.#stop.signal)
      .then((page) => this.#take(page, round))
      .catch((error: unknown) => this.#fail(error))
  }

  /** Returns the next range to read: missing rows near the visible part, or new rows at the end. */
  #next(): RowsAsked | null {
    const { isLoaded, total } = this.state.get()
    if (!isLoaded) return this.#mustRefresh ? { limit: PAGE } : null
    const end = Math.min(this.#wanted.to, total)
    let from = this.#wanted.from
    while (from < end && this.#isFresh(from)) from += 1
    if (from >= end) return this.#mustRefresh ? { from: total, limit: PAGE } : null
    return { from, limit: Math.min(2 * PAGE, Math.max(end - from, this.#mustRefresh ? PAGE : 1)) }
  }

  #isFresh(position: number): boolean {
    const kept = this.#rows.get(position)
    return kept !== undefined && (kept.isFinal || kept.round === this.#round)
  }

  #take({ total, settled, isLive, from, rows }: RowsPage, round: number): void {
    if (this.#stop.signal.aborted) return
    for (const [at, row] of rows.entries())
      this.#rows.set(from + at, { row, round, isFinal: from + at < settled || !isLive })
    this.#forget()
    this.#isReading = false
    const { version } = this.state.get()
    this.state.set({ total, isLive, isLoaded: true, error: null, version: version + 1 })
    this.#pump()
  }

  #forget(): void {
    if (this.#rows.size <= KEPT_MAX) return
    const { from, to } = this.#wanted
    for (const position of this.#rows.keys())
      if (position < from - KEPT_MAX / 4 || position > to + KEPT_MAX / 4) this.#rows.delete(position)
  }

  #fail(error: unknown): void {
    this.#isReading = false
    if (!this.#stop.signal.aborted) this.state.set({ ...this.state.get(), error })
  }
}
