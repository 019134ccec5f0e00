/**
 * The cards of one lane in order. A pass first reads the first cards of the lane, then continues where the last pass
 * stopped.
 */
import type { LanePlace } from '../../storage/store.ts'
import type { LanePositions } from './lane-positions.ts'
import type { DispatchContext } from '../dispatch-context.ts'
import { LANE_HEAD, readPage } from './lanes.ts'
import type { Candidate, Page, StaffedLane } from './lanes.ts'

const PAGE = 128
/**
 * The maximum number of pages that a pass reads in addition to the first cards. Reading these pages takes about 25 ms.
 */
const PAGES_PER_PASS = 8

export class LaneQueue {
  readonly lane: StaffedLane
  readonly #context: Pick<DispatchContext, 'store' | 'options' | 'lanePositions' | 'host'>
  readonly #waiting: Candidate[] = []
  #pagesLeft: number
  /** The position after the cards that were read. Null means that the lane has no more cards. */
  #next: LanePlace | null = null
  /**
   * `#tried` is the last card that was tried before the first skipped card. `#missed` is true if a card was skipped.
   */
  #tried: LanePlace | null = null
  #missed = false

  constructor(context: Pick<DispatchContext, 'store' | 'options' | 'lanePositions' | 'host'>, lane: StaffedLane) {
    this.lane = lane
    this.#context = context
    this.#pagesLeft = context.lanePositions === null ? Infinity : PAGES_PER_PASS
  }

  get first(): Candidate | null {
    return this.#waiting[0] ?? null
  }

  /** Whether this pass may read more cards. */
  get hasMore(): boolean {
    return this.#next !== null && this.#pagesLeft > 0
  }

  async readHead(): Promise<Page> {
    const head = await this.#read(null, LANE_HEAD)
    if (head.next !== null)
      this.#next = this.#context.lanePositions?.continueAfter(this.lane.lane, head.next) ?? head.next
    return head
  }

  readNextPage(): Promise<Page> {
    this.#pagesLeft -= 1
    return this.#read(this.#next, PAGE)
  }

  async #read(after: LanePlace | null, limit: number): Promise<Page> {
    const page = await readPage(this.#context, this.lane, { after, limit })
    this.#waiting.push(...page.candidates)
    this.#next = page.next
    return page
  }

  /** Removes the first card from the queue. `tried` is false if there was no free slot or the lane is closed. */
  take({ tried }: { readonly tried: boolean }): void {
    const task = this.#waiting.shift()?.task
    if (!tried) this.#missed = true
    else if (!this.#missed && task !== undefined) this.#tried = task
  }

  /**
   * Saves the position at which the next pass continues, so that the next pass reaches the cards that this pass
   * skipped. Returns whether the lane has more cards than this pass may read.
   */
  savePosition(lanePositions: LanePositions, { gaveUp }: { readonly gaveUp: boolean }): boolean {
    if (gaveUp) lanePositions.save(this.lane.lane, this.#tried)
    else if (!this.#missed && this.#waiting.length === 0) lanePositions.save(this.lane.lane, this.#next)
    return gaveUp || (this.#next !== null && !this.hasMore)
  }
}
