/**
 * Follows the live feed. The client reconnects after the last event, so that the caller misses no event and gets no
 * event twice.
 */
import type { EventKind, EventView } from './api.ts'
import { ClientError } from './client-error.ts'
import { readMessages } from './feed-messages.ts'
import { searchOf } from './route-request.ts'
import type { Transport } from './transport.ts'

export interface FeedFilter {
  readonly board?: string | undefined
  /** The id of a card, or the beginning of an id. */
  readonly task?: string | undefined
  readonly kinds?: readonly EventKind[] | undefined
  readonly assignee?: string | undefined
  readonly tenant?: string | undefined
  /** The cursor after which the feed starts. Without a cursor, the feed starts now. */
  readonly after?: string | undefined
  /** Whether the feed includes the last line of every running card. */
  readonly output?: boolean | undefined
}

/**
 * Why events are missing: the store was restored, or the events were deleted. In both cases, the caller must read
 * everything again.
 */
type ResyncReason = 'restored' | 'trimmed'

/** The last line that the agent of a running card printed. */
export interface RunOutput {
  readonly board: string
  readonly taskId: string
  readonly runId: string
  readonly line: string
}

export type FeedMessage =
  | { readonly type: 'event'; readonly event: EventView; readonly cursor: string }
  | { readonly type: 'output'; readonly output: RunOutput }
  | { readonly type: 'resync'; readonly reason: ResyncReason; readonly cursor: string }

export type FeedConnection =
  | { readonly state: 'connecting' }
  | { readonly state: 'open'; readonly cursor: string }
  | { readonly state: 'waiting'; readonly retryMs: number; readonly error: ClientError | null }

export interface FeedOptions {
  /** The signal that ends the feed without an error. */
  readonly signal?: AbortSignal
  /** Called whenever the connection changes. */
  readonly onConnection?: (connection: FeedConnection) => void
  /** The first and the longest wait before a reconnect. The defaults are 1 s and 30 s. */
  readonly retryMs?: number
  readonly mostRetryMs?: number
  /** How long the connection may be silent. The server sends a heartbeat every 15 s. The default is 45 s. */
  readonly silentMs?: number
}

const PATH = '/api/events'

export async function* followFeed(
  transport: Transport,
  { kinds, after, output, ...filter }: FeedFilter,
  options: FeedOptions = {},
): AsyncGenerator<FeedMessage> {
  const { signal, onConnection = () => {}, mostRetryMs = 30_000 } = options
  const query = {
    ...filter,
    ...(kinds !== undefined && { kinds: kinds.join(',') }),
    ...(output === true && { output: '1' }),
  }
  const place = { cursor: after, retryMs: options.retryMs ?? 1_000, failures: 0 }
  while (signal?.aborted !== true) {
    onConnection({ state: 'connecting' })
    let error: ClientError | null = null
    try {
      yield* connectOnce(transport, `${PATH}${searchOf(query)}`, { ...options, place, onConnection })
    } catch (thrown) {
      if (signal?.aborted) return
      if (!(thrown instanceof ClientError) || isFinal(thrown)) throw thrown
      error = thrown
    }
    if (signal?.aborted) return
    const retryMs = waitMs(place, mostRetryMs)
    place.failures += 1
    onConnection({ state: 'waiting', retryMs, error })
    await pause(retryMs, signal)
  }
}

/** The state that a new connection takes over from the previous connection. */
interface Place {
  cursor: string | undefined
  retryMs: number
  failures: number
}

type Connecting = FeedOptions & { readonly place: Place; readonly onConnection: (connection: FeedConnection) => void }

async function* connectOnce(
  transport: Transport,
  path: string,
  { place, signal, onConnection, silentMs = 45_000 }: Connecting,
): AsyncGenerator<FeedMessage> {
  const silence = new AbortController()
  const stop = (): void => silence.abort(new Error('the connection is silent'))
  let timer = setTimeout(stop, silentMs)
  const restart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(stop, silentMs)
  }
  const signals = signal === undefined ? [silence.signal] : [signal, silence.signal]
  const headers = place.cursor === undefined ? {} : { 'last-event-id': place.cursor }
  try {
    const response = await transport.send({ method: 'GET', path, headers, signal: AbortSignal.any(signals) })
    for await (const { event, id, retry, data } of readMessages(response, restart)) {
      place.cursor = id ?? place.cursor
      place.retryMs = retry ?? place.retryMs
      if (event === 'hello') {
        place.failures = 0
        onConnection({ state: 'open', cursor: place.cursor ?? '' })
      }
      const message = data === null ? null : messageOf(event, JSON.parse(data))
      if (message !== null) yield message
    }
  } catch (error) {
    if (signal?.aborted !== true && !(error instanceof ClientError)) throw transport.brokenOff(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The casts are safe, because the server sends these types. */
function messageOf(event: string | null, value: unknown): FeedMessage | null {
  if (event === 'run_output') return { type: 'output', output: value as RunOutput }
  if (event === 'resync') {
    const { cursor, reason } = value as { readonly cursor: string; readonly reason: ResyncReason | 'slow' }
    // The server drops slow clients. This client continues after its last event, so it has missed nothing.
    return reason === 'slow' ? null : { type: 'resync', cursor, reason }
  }
  if (event !== null) return null
  const { cursor, ...fields } = value as EventView & { readonly cursor: string }
  return { type: 'event', event: fields, cursor }
}

/**
 * Whether the error ends the feed. A server that refuses a request would refuse it again. Only a busy server (429, 503)
 * may accept the request later.
 */
const isFinal = ({ status }: ClientError): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429

/**
 * The wait before a reconnect, which doubles after each failure. The random part keeps many clients from returning at
 * once.
 */
const waitMs = ({ retryMs, failures }: Place, most: number): number =>
  Math.min(retryMs * 2 ** Math.min(failures, 10), most) * (0.5 + Math.random() / 2)

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
