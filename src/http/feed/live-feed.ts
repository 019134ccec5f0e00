/** `GET /api/events`: the event log of a store as server-sent events, for many clients at once. */
import { BoardError } from '../../core/errors.ts'
import { requireBoard } from '../../operations/boards/require-board.ts'
import type { EventFilter } from '../../operations/boards/event-filter.ts'
import { resolveTask } from '../../operations/shared/resolve-task.ts'
import type { Store } from '../../storage/store.ts'
import { FeedLag } from '../metrics/feed-lag.ts'
import { EventTail } from './event-tail.ts'
import { FeedClient } from './feed-client.ts'
import { readFeedRequest } from './feed-query.ts'
import { RunOutputs } from './run-outputs.ts'

export interface FeedLimits {
  readonly clients: number
  /** The maximum number of waiting bytes. A client with more waiting bytes is disconnected. */
  readonly queueBytes: number
  readonly heartbeatMs: number
  /** The maximum time of a stream, so that no connection stays open forever. The client then reconnects. */
  readonly lifetimeMs: number
  /** How long a client may take to read the last messages. */
  readonly lingerMs: number
}

const LIMITS: FeedLimits = {
  clients: 1_000,
  queueBytes: 1024 * 1024,
  heartbeatMs: 15_000,
  lifetimeMs: 600_000,
  lingerMs: 10_000,
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // The header that keeps proxies such as nginx from collecting messages before they forward them.
  'x-accel-buffering': 'no',
}

export interface Connection {
  /** Closes the connection of a client that does not read its last messages. */
  readonly disconnect?: () => void
  /**
   * Permission to read. `signal` aborts when the caller may no longer read. The feed calls `close` when the stream has
   * ended or could not be opened.
   */
  readonly access?: { readonly signal: AbortSignal; readonly close: () => void }
}

export interface LiveFeed {
  /** Answers a request of a caller that may read the store. Throws a `BoardError` if the request is not valid. */
  respond(request: Request, connection?: Connection): Promise<Response>
  readonly clients: number
  readonly lag: FeedLag
  /** Ends all streams. */
  stop(): Promise<void>
}

export function openLiveFeed(store: Store, limits: Partial<FeedLimits> = {}): LiveFeed {
  const { clients: most, queueBytes, heartbeatMs, lifetimeMs, lingerMs } = { ...LIMITS, ...limits }
  const outputs = new RunOutputs(store)
  const lag = new FeedLag()
  const tail = new EventTail(store, ({ events }) => {
    const newest = events.at(-1)
    if (newest !== undefined) lag.observe(newest.createdAt)
    if (events.some(({ runId }) => runId !== null)) outputs.refresh()
  })
  const clients = new Set<FeedClient>()
  const heart = setInterval(() => {
    for (const client of clients)
      if (client.ageMs > lifetimeMs) client.close()
      else client.beat()
  }, heartbeatMs)
  heart.unref()

  async function addClient(request: Request, onEnd: (() => void) | undefined): Promise<FeedClient> {
    const { filter, task, after, wantsOutput } = readFeedRequest(request)
    const chosen = await resolveFilter(store, filter, task)
    const cursor = after ?? (await tail.position())
    if (clients.size >= most) throw tooManyClients(most)
    const client: FeedClient = new FeedClient({
      cursor,
      filter: chosen,
      tail,
      queueBytes,
      onLive: () => wantsOutput && outputs.add(client),
      onEnd() {
        clients.delete(client)
        outputs.remove(client)
        onEnd?.()
      },
    })
    clients.add(client)
    return client
  }

  return {
    lag,
    get clients() {
      return clients.size
    },
    async respond(request, { disconnect, access } = {}) {
      const client = await addClient(request, access?.close).catch((error: unknown) => {
        access?.close()
        throw error
      })
      for (const signal of [request.signal, access?.signal])
        signal?.addEventListener('abort', () => client.close(), { once: true })
      return new Response(streamOf(client, { lingerMs, disconnect }), { headers: HEADERS })
    },
    async stop() {
      clearInterval(heart)
      for (const client of clients) client.close()
      await Promise.all([tail.stop(), outputs.stop()])
    },
  }
}

/** Checks the filter. A board or card that does not exist is an error, because the client would wait forever. */
async function resolveFilter(store: Store, filter: EventFilter, task: string | null): Promise<EventFilter> {
  if (filter.board !== undefined) await requireBoard(store, filter.board)
  if (task === null) return filter
  const { id } = await resolveTask(store, task, { deleted: true })
  return { ...filter, task: id }
}

const tooManyClients = (most: number): BoardError =>
  new BoardError('capped', `The server already has ${most} live connections. Close some of them, or try again later.`)

/**
 * Opens the stream for a client. An event is read only when the client is ready for it, so a slow client does not fill
 * the memory.
 */
function streamOf(
  client: FeedClient,
  { lingerMs, disconnect }: { lingerMs: number; disconnect: (() => void) | undefined },
): ReadableStream<Uint8Array> {
  const chunks = client.chunks()
  let linger: NodeJS.Timeout | undefined
  return new ReadableStream(
    {
      start(controller) {
        // Ends the connection, because a client that stopped reading could keep it open forever.
        const breakOff = disconnect ?? (() => controller.error(new Error('the client does not read')))
        const onEnd = (): void => void (linger = setTimeout(breakOff, lingerMs).unref())
        client.ended.addEventListener('abort', onEnd, { once: true })
      },
      async pull(controller) {
        const next = await chunks.next()
        if (next.done !== true) return controller.enqueue(next.value)
        clearTimeout(linger)
        return controller.close()
      },
      cancel() {
        client.close()
        clearTimeout(linger)
      },
    },
    { highWaterMark: 0 },
  )
}
