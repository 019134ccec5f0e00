/**
 * One client of the feed. First it gets the events after its cursor, page by page, as fast as it receives them. Then it
 * follows the tail; a queue of limited size holds the messages that it has not received yet.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { matchesEvent, needsCards } from '../../operations/boards/event-filter.ts'
import type { EventCards, EventFilter } from '../../operations/boards/event-filter.ts'
import { nullIfUnavailable, RETRY_MS } from '../../operations/boards/follow.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { epochOf, hasReached, isAfter } from './cursor.ts'
import type { EventTail, Follower, LogPage } from './event-tail.ts'
import { FrameQueue } from './frame-queue.ts'
import { heartbeatFrame, helloFrame, outputFrame, resyncFrame } from './frames.ts'
import type { RunOutput } from './frames.ts'

/** The wait before another attempt to join the tail. The tail pauses for about as long between two reads. */
const JOIN_AGAIN_MS = 10

const NO_CARDS: EventCards = new Map()

export interface ClientOptions {
  readonly cursor: string
  readonly filter: EventFilter
  readonly tail: EventTail
  /** The maximum size of the waiting messages. A client with more is too slow and is disconnected. */
  readonly queueBytes: number
  /** Called when the client has received all events from before its connection. */
  readonly onLive: () => void
  readonly onEnd: () => void
}

export class FeedClient implements Follower {
  readonly needsCards: boolean
  readonly #filter: EventFilter
  readonly #tail: EventTail
  readonly #queueBytes: number
  readonly #onLive: () => void
  readonly #onEnd: () => void
  readonly #queue = new FrameQueue()
  readonly #abort = new AbortController()
  readonly #startedAt = monotonicMs()
  #cursor: string
  #isLive = false

  constructor({ cursor, filter, tail, queueBytes, onLive, onEnd }: ClientOptions) {
    this.needsCards = needsCards(filter)
    this.#filter = filter
    this.#tail = tail
    this.#queueBytes = queueBytes
    this.#onLive = onLive
    this.#onEnd = onEnd
    this.#cursor = cursor
  }

  get cursor(): string {
    return this.#cursor
  }

  /** Yields the messages in the order in which they are sent. One chunk may contain several messages. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield helloFrame(this.#cursor)
      yield* this.#replay()
      for (;;) {
        const chunk = await this.#queue.take()
        if (chunk === null) return
        yield chunk
      }
    } finally {
      this.close()
    }
  }

  async *#replay(): AsyncGenerator<Uint8Array> {
    const { signal } = this.#abort
    while (!signal.aborted) {
      const page = await nullIfUnavailable({}, () => this.#readPage())
      if (page === null) await sleep(RETRY_MS)
      else if (page.frames.length > 0) yield Buffer.concat(page.frames)
      if (page === null || page.more) continue
      if (signal.aborted || this.#join()) return
      await sleep(JOIN_AGAIN_MS)
    }
  }

  async #readPage(): Promise<{ readonly frames: readonly Uint8Array[]; readonly more: boolean }> {
    const page = await this.#tail.read(this.#cursor)
    const cards = this.needsCards ? await this.#tail.cards(page.events) : NO_CARDS
    return { frames: this.#framesOf(page, cards), more: page.more }
  }

  #join(): boolean {
    this.#isLive = this.#tail.join(this)
    if (this.#isLive) this.#onLive()
    return this.#isLive
  }

  take(page: LogPage, cards: EventCards): void {
    // The client has already received this page, which it read before the tail published it.
    if (!page.resync && hasReached(this.#cursor, page.cursor)) return
    if (this.#queue.bytes > this.#queueBytes) this.#end([resyncFrame(page.cursor, 'slow')])
    else this.#queue.push(...this.#framesOf(page, cards))
  }

  /** Makes messages of the events that the client wants, and moves the cursor to the end of the page. */
  #framesOf(page: LogPage, cards: EventCards): readonly Uint8Array[] {
    const before = this.#cursor
    this.#cursor = page.cursor
    if (page.resync)
      return [resyncFrame(page.cursor, epochOf(page.cursor) === epochOf(before) ? 'trimmed' : 'restored')]
    return page.events.flatMap((event, at) =>
      isAfter(event.id, before) && matchesEvent(event, this.#filter, cards) ? [page.frame(at)] : [],
    )
  }

  notify(output: RunOutput): void {
    const { board, task } = this.#filter
    if (board !== undefined && board !== output.board) return
    if (task !== undefined && task !== output.taskId) return
    if (this.#isLive) this.#queue.notify(output.runId, outputFrame(output))
  }

  /** Sends a heartbeat, which shows the client and every proxy that the connection is alive. */
  beat(): void {
    if (!this.#isLive || this.#queue.bytes > 0) return
    this.#queue.push(heartbeatFrame(this.#cursor))
  }

  get ageMs(): number {
    return monotonicMs() - this.#startedAt
  }

  /** A signal that aborts when the feed of this client ends. The client may not have read the last messages by then. */
  get ended(): AbortSignal {
    return this.#abort.signal
  }

  fail(): void {
    this.#end()
  }

  close(): void {
    this.#end()
  }

  #end(last: readonly Uint8Array[] = []): void {
    this.#abort.abort()
    this.#queue.end(last)
    this.#tail.leave(this)
    this.#onEnd()
  }
}
