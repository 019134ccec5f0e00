/**
 * Follows the event feed: yields new events, waits for a change in the store, and reads again. If the store does not
 * respond, the read is retried with the same cursor, so no event is lost or repeated. If the feed no longer has the
 * cursor, `resync` is yielded and the feed continues at the current event.
 */
import { BoardError } from '../../core/errors.ts'
import type { BoardEvent } from '../../core/event.ts'
import type { FeedPage } from '../../storage/store.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import type { AlarmClock } from '../../util/alarm-clock.ts'
import type { StreamContext } from '../shared/operation.ts'

export interface FollowedEvent extends BoardEvent {
  /** The value of `since` with which a reader continues after this event. */
  readonly cursor: string
}

/** The events before this cursor are no longer available, so the reader must read the board again. */
export interface Resync {
  readonly kind: 'resync'
  readonly cursor: string
}

export type Followed = FollowedEvent | Resync

export interface Following<Page extends FeedPage = FeedPage> {
  readonly read: (cursor: string | null) => Promise<Page>
  readonly since: string | null
  /** Whether to wait for new events at the end of the feed. */
  readonly continues: boolean
}

/** The part of a stream's context that a reader of the feed needs. */
export interface FollowContext extends Pick<StreamContext, 'signal' | 'onTrouble'> {
  readonly store: Pick<StreamContext['store'], 'watch'>
}

export const EVENTS_PAGE = 500
/** The time between two polls. A poll finds a change whose notification was lost. */
const POLL_MS = 5_000
export const RETRY_MS = 500

const CURSOR = /^[0-9a-f]+:\d{1,15}$/

/** Checks the form of a cursor. An outdated cursor passes this check. */
export function requireCursor(since: string | undefined): string | null {
  if (since === undefined) return null
  if (CURSOR.test(since)) return since
  throw new BoardError('invalid_input', `${since} is not a cursor. Give the cursor of a printed event.`)
}

export async function* follow(context: FollowContext, following: Following): AsyncGenerator<Followed> {
  for await (const page of followPages(context, following)) {
    if (page.resync) yield { kind: 'resync', cursor: page.cursor }
    yield* eventsOf(page, context.signal)
  }
}

/** Like `follow`, but yields whole pages of events. A page may be empty. */
export async function* followPages<Page extends FeedPage>(
  context: FollowContext,
  following: Following<Page>,
): AsyncGenerator<Page> {
  const { store, signal } = context
  const clock = makeAlarmClock()
  const onAbort = (): void => clock.ring()
  signal.addEventListener('abort', onAbort)
  const watcher = following.continues ? await store.watch(clock.ring) : null
  try {
    yield* pages(context, following, clock)
  } finally {
    signal.removeEventListener('abort', onAbort)
    await watcher?.stop()
  }
}

async function* pages<Page extends FeedPage>(
  context: FollowContext,
  { read, since, continues }: Following<Page>,
  clock: AlarmClock,
): AsyncGenerator<Page> {
  const { signal } = context
  let cursor = since
  while (!signal.aborted) {
    const page = await nullIfUnavailable(context, () => read(cursor))
    if (page === null) {
      await clock.sleep(RETRY_MS)
      continue
    }
    cursor = page.cursor
    yield page
    if (page.more) continue
    if (!continues) return
    await clock.sleep(POLL_MS)
  }
}

function* eventsOf({ events, cursor }: FeedPage, signal: AbortSignal): Generator<FollowedEvent> {
  const epoch = cursor.slice(0, cursor.indexOf(':'))
  for (const event of events) {
    if (signal.aborted) return
    yield { ...event, cursor: `${epoch}:${event.id}` }
  }
}

/** Returns the answer of `ask`, or null if the store does not respond at the moment. */
export async function nullIfUnavailable<T>(
  { onTrouble }: Pick<StreamContext, 'onTrouble'>,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    const answer = await ask()
    onTrouble?.(null)
    return answer
  } catch (error) {
    if (!(error instanceof BoardError && error.retryable)) throw error
    onTrouble?.(error)
    return null
  }
}
