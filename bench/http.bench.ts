import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openLiveFeed } from '../src/http/feed/live-feed.ts'
import type { LiveFeed } from '../src/http/feed/live-feed.ts'
import type { StoreLocation } from '../src/storage/location.ts'
import type { Store } from '../src/storage/store.ts'
import { readFeed } from '../test/helpers/feed-reader.ts'
import { withPlace } from '../test/helpers/places.ts'
import { withWorkers } from '../test/helpers/processes.ts'
import { createCards, percentile } from '../test/helpers/proofs/proof.ts'
import { info, ratio } from './report.ts'

const CLIENTS = 200
const COMMITS = 200
const EVERY_MS = 20
const EVENTS = 100_000
/** Cards that are created before the first measurement of the memory. */
const WARM_UP = 10_000
const BATCH = 2_000
const READERS = 50

/**
 * Measures the live feed: how long a commit of another process takes to reach every client, and how the memory of the
 * server grows.
 */
export async function benchHttp(): Promise<void> {
  const one = await withPlace('sqlite', '', (location, store) => latencies(location, store, 1))
  const many = await withPlace('sqlite', '', (location, store) => latencies(location, store, CLIENTS))
  const [p99, manyP99] = [percentile(one, 0.99), percentile(many, 0.99)]
  ratio('feed-200-clients', manyP99 / p99, '<=5')
  info(`commit to client, p99: 1 client ${p99.toFixed(1)} ms, ${CLIENTS} clients ${manyP99.toFixed(1)} ms`)
  await withPlace('sqlite', '', (_, store) => memory(store))
}

/** A clock that all processes of this machine share. */
const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6

const respond = (feed: LiveFeed): Promise<Response> => feed.respond(new Request('http://localhost/api/events'))

/** The milliseconds from each commit until the last client has its event. */
async function latencies(location: StoreLocation, store: Store, clients: number): Promise<readonly number[]> {
  const feed = openLiveFeed(store)
  const readers = await Promise.all(Array.from({ length: clients }, async () => readFeed(await respond(feed))))
  const seenAt = new Map<unknown, number>()
  const reading = readers.map(async (reader) => {
    for (let left = COMMITS; left > 0; left -= 1) seenAt.set((await reader.nextEvent())?.data['taskId'], sharedNow())
  })
  const { committed } = await withWorkers(location, 1, async ([writer]) => {
    if (writer === undefined) throw new Error('no writer')
    return writer.run('writeSparsely', { count: COMMITS, everyMs: EVERY_MS })
  })
  await Promise.all(reading)
  await feed.stop()
  return committed.map(([id, at]) => Math.max(0, (seenAt.get(id) ?? Infinity) - at))
}

/** Compares the heap after 100,000 events with the heap after the first 10,000 events. */
async function memory(store: Store): Promise<void> {
  const feed = openLiveFeed(store)
  const readers = await Promise.all(Array.from({ length: READERS }, async () => chunksOf(await respond(feed))))
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += BATCH) {
      await createCards(store, BATCH)
      const { cursor } = await store.feed(null)
      await Promise.all(readers.map((reader) => readTo(reader, cursor)))
    }
  }
  await send(WARM_UP)
  const before = heapBytes()
  const started = process.cpuUsage()
  await send(EVENTS)
  const { user, system } = process.cpuUsage(started)
  const after = heapBytes()
  await feed.stop()
  ratio('feed-memory-100k', after / before, '<=1.2')
  const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
  info(`heap ${mb(before)} before, ${mb(after)} after ${EVENTS} events to ${READERS} clients`)
  info(`${((user + system) / EVENTS).toFixed(0)} µs of CPU time an event, its commit and its readers included`)
}

type Chunks = ReadableStreamDefaultReader<Uint8Array>

const chunksOf = ({ body }: Response): Chunks => (body as ReadableStream<Uint8Array>).getReader()

/** Reads without parsing, which would take most of the time. */
async function readTo(chunks: Chunks, cursor: string): Promise<void> {
  for (;;) {
    const { value, done } = await chunks.read()
    if (done) throw new Error('the stream ended')
    if (Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(`id: ${cursor}\n`)) return
  }
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
