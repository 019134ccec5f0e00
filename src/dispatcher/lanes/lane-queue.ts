/**
 * The cards of one lane in their order, read as far as a pass comes: first the head, where what should start next
 * stands; behind it, from where the last pass stopped.
 */
import type { LanePlace } from '../../storage/store.ts'
import type { LanePositions } from './lane-positions.ts'
import type { DispatchContext } from '../dispatch-context.ts'
import { HEAD, examine } from './lanes.ts'
import type { Candidate, Page, StaffedLane } from './lanes.ts'

const PAGE = 128
/** What a pass reads behind one head: about 25 ms. */
const PAGES_PER_PASS = 8

export class LaneQueue {
  readonly lane: StaffedLane
  readonly #context: Pick<DispatchContext, 'store' | 'options' | 'lanePositions' | 'host'>
  readonly #waiting: Candidate[] = []
  #pagesLeft: number
  /** Where the lane goes on behind the cards read so far; null: those were the last. */
  #next: LanePlace | null = null
  /** The last card that was judged, and whether one behind it was not. */
  #judged: LanePlace | null = null
  #missed = false

  constructor(context: Pick<DispatchContext, 'store' | 'options' | 'lanePositions' | 'host'>, lane: StaffedLane) {
    this.lane = lane
    this.#context = context
    this.#pagesLeft = context.lanePositions === null ? Infinity : PAGES_PER_PASS
  }

  get first(): Candidate | null {
    return this.#waiting[0] ?? null
  }

  /** Whether cards may be found by reading on. */
  get hasMore(): boolean {
    return this.#next !== null && this.#pagesLeft > 0
  }

  async readHead(): Promise<Page> {
    const head = await this.#read(null, HEAD)
    if (head.next !== null) this.#next = this.#context.lanePositions?.behind(this.lane.lane, head.next) ?? head.next
    return head
  }

  readOn(): Promise<Page> {
    this.#pagesLeft -= 1
    return this.#read(this.#next, PAGE)
  }

  async #read(after: LanePlace | null, limit: number): Promise<Page> {
    const page = await examine(this.#context, this.lane, { after, limit })
    this.#waiting.push(...page.candidates)
    this.#next = page.next
    return page
  }

  /** The first leaves the queue. Not judged: it might start, but there is no place for it, or its lane is closed. */
  take({ judged }: { readonly judged: boolean }): void {
    const task = this.#waiting.shift()?.task
    if (!judged) this.#missed = true
    else if (!this.#missed && task !== undefined) this.#judged = task
  }

  /**
   * Keeps where the next pass goes on: no card that was not judged is left behind. True: there is more to look at, and
   * only this pass was at its end.
   */
  leave(lanePositions: LanePositions, { gaveUp }: { readonly gaveUp: boolean }): boolean {
    if (gaveUp) lanePositions.put(this.lane.lane, this.#judged)
    else if (!this.#missed && this.#waiting.length === 0) lanePositions.put(this.lane.lane, this.#next)
    return gaveUp || (this.#next !== null && !this.hasMore)
  }
}
