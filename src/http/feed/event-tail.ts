/**
 * The tail is the one reader of the event log that all clients of a server share. It reads while at least one client
 * follows it. A new client first reads the earlier events itself, until it reaches the position of the tail.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoardEvent } from '../../core/event.ts'
import { cardsOf } from '../../operations/boards/event-filter.ts'
import type { EventCards } from '../../operations/boards/event-filter.ts'
import { EVENTS_PAGE, followPages, nullIfUnavailable, RETRY_MS } from '../../operations/boards/follow.ts'
import type { FeedPage, Store } from '../../storage/store.ts'
import { epochOf, hasReached } from './cursor.ts'
import { eventFrame } from './frames.ts'

export interface LogPage extends FeedPage {
  /** Returns the event at this index as a message. Each event is encoded only once for all clients. */
  readonly frame: (at: number) => Uint8Array
}

export interface Follower {
  /** The position up to which the follower has read all events. */
  readonly cursor: string
  readonly needsCards: boolean
  /** Called with each new page, in order. `cards` is empty if no follower needs the cards. */
  take(page: LogPage, cards: EventCards): void
  /** Called when the log can no longer be read. */
  fail(): void
}

type TailStore = Pick<Store, 'feed' | 'tasksById' | 'watch'>

const NO_CARDS: EventCards = new Map()

/** How long committed events are collected before the next read. An event after a quiet period is read at once. */
const PAUSE_MS = 10

export class EventTail {
  readonly #store: TailStore
  readonly #onPage: (page: LogPage) => void
  readonly #followers = new Set<Follower>()
  readonly #reads = new Map<string, Promise<LogPage>>()
  readonly #loops = new Set<Promise<void>>()
  /** The position up to which the tail has published all events. This is null while the tail has no followers. */
  #cursor: string | null = null
  #abort = new AbortController()

  constructor(store: TailStore, onPage: (page: LogPage) => void = () => {}) {
    this.#store = store
    this.#onPage = onPage
  }

  /** The current end of the log, or a position shortly before it. */
  async position(): Promise<string> {
    return this.#cursor ?? (await this.#store.feed(null)).cursor
  }

  /** Reads a page. Clients that read the same page at the same time share one read. */
  read(cursor: string): Promise<LogPage> {
    const known = this.#reads.get(cursor)
    if (known !== undefined) return known
    const reading = this.#store
      .feed(cursor, EVENTS_PAGE)
      .then(asLogPage)
      .finally(() => this.#reads.delete(cursor))
    this.#reads.set(cursor, reading)
    return reading
  }

  cards(events: readonly BoardEvent[]): Promise<EventCards> {
    return cardsOf(this.#store, events)
  }

  /**
   * Adds a follower. Returns false if the follower has not reached the position of the tail. In that case, the follower
   * reads more and tries again. This method awaits nothing, so no event can come between the check and the first page.
   */
  join(follower: Follower): boolean {
    if (this.#cursor !== null && !hasReached(follower.cursor, this.#cursor)) return false
    this.#followers.add(follower)
    if (this.#cursor === null) this.#start(follower.cursor)
    return true
  }

  leave(follower: Follower): void {
    if (this.#followers.delete(follower) && this.#followers.size === 0) this.#end()
  }

  /** Ends all followers. Resolves when the tail no longer reads. */
  async stop(): Promise<void> {
    for (const follower of this.#followers) follower.fail()
    this.#followers.clear()
    this.#end()
    await Promise.all(this.#loops)
  }

  #start(cursor: string): void {
    this.#cursor = cursor
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const loop = this.#publishPages(cursor, signal)
      .catch(() => this.#fail(signal))
      .finally(() => this.#loops.delete(loop))
    this.#loops.add(loop)
  }

  #end(): void {
    this.#cursor = null
    this.#abort.abort()
  }

  #fail(signal: AbortSignal): void {
    if (signal.aborted) return
    const followers = [...this.#followers]
    this.#followers.clear()
    this.#end()
    for (const follower of followers) follower.fail()
  }

  async #publishPages(since: string, signal: AbortSignal): Promise<void> {
    const context = { store: this.#store, signal }
    const read = (cursor: string | null): Promise<LogPage> => this.read(cursor ?? since)
    for await (const page of followPages(context, { since, continues: true, read })) {
      let cards: EventCards | null = null
      // While the cards are loaded, another follower may join and need them. So the loop checks again after each await.
      while (cards === null && !signal.aborted && this.#needsCards(page)) cards = await this.#loadCards(page)
      if (signal.aborted) return
      this.#cursor = page.cursor
      this.#onPage(page)
      for (const follower of this.#followers) follower.take(page, cards ?? NO_CARDS)
      await sleep(PAUSE_MS)
    }
  }

  #needsCards({ events }: LogPage): boolean {
    return events.length > 0 && [...this.#followers].some(({ needsCards }) => needsCards)
  }

  async #loadCards({ events }: LogPage): Promise<EventCards | null> {
    const cards = await nullIfUnavailable({}, () => this.cards(events))
    if (cards === null) await sleep(RETRY_MS)
    return cards
  }
}

function asLogPage(page: FeedPage): LogPage {
  const epoch = epochOf(page.cursor)
  const frames: Uint8Array[] = []
  const frame = (at: number): Uint8Array => {
    const event = page.events[at]
    if (event === undefined) throw new RangeError(`no event ${at}`)
    return (frames[at] ??= eventFrame(event, `${epoch}:${event.id}`))
  }
  return { ...page, frame }
}
