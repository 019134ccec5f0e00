/** Reads the feed from its start while everything changes. The reader must miss no event and see no event twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoardEvent } from '../../../src/core/event.ts'
import type { ChaosBoard } from './chaos-board.ts'

const LOOK_MS = 100

export interface FeedReader {
  /** Reads the rest of the feed. Returns the events that the reader missed or saw twice, compared with the store. */
  conclude(events: readonly Pick<BoardEvent, 'id'>[]): Promise<readonly string[]>
}

export async function readFeed(chaosBoard: Pick<ChaosBoard, 'store' | 'restores'>): Promise<FeedReader> {
  const { store } = chaosBoard
  const seen: number[] = []
  const faults: string[] = []
  const stopped = new AbortController()
  let { cursor } = await store.feed(null)
  let first = Number(cursor.split(':')[1])
  let resyncs = 0
  const read = async (): Promise<void> => {
    const page = await store.feed(cursor)
    if (page.resync) {
      resyncs += 1
      if (resyncs > chaosBoard.restores) faults.push(`the reader at ${cursor} had to read the whole board again`)
      first = Number(page.cursor.split(':')[1])
      seen.length = 0
    }
    cursor = page.cursor
    seen.push(...page.events.map(({ id }) => id))
    if (page.events.length > 0) await read()
  }
  const reading = (async () => {
    while (!stopped.signal.aborted) {
      await read()
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()
  return {
    async conclude(events) {
      stopped.abort()
      await reading
      await read()
      const unique = new Set(seen)
      const missed = events.filter(({ id }) => id > first && !unique.has(id))
      if (missed.length > 0) faults.push(`the feed missed ${missed.map(({ id }) => id).join(', ')}`)
      if (unique.size < seen.length) faults.push(`the feed repeated ${seen.length - unique.size} events`)
      return faults
    },
  }
}
