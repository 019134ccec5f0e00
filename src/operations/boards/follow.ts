/**
 * Following the feed: read → give what is new → wait for a change → read …
 * A store that does not answer for a while is asked again: the cursor stays where it was, so nothing is lost and
 * nothing comes twice. A cursor that the feed no longer knows goes on from now, and says so.
 */
import { BoardError } from '../../core/errors.ts'
import type { BoardEvent } from '../../core/event.ts'
import type { FeedPage } from '../../storage/store.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import type { AlarmClock } from '../../util/alarm-clock.ts'
import type { StreamContext } from '../shared/operation.ts'

export interface FollowedEvent extends BoardEvent {
  /** Where whoever comes back goes on: `since` takes it. */
  readonly cursor: string
}

/** What was before this place cannot be told any more. */
export interface Resync {
  readonly kind: 'resync'
  readonly cursor: string
}

export type Followed = FollowedEvent | Resync

interface Following {
  readonly read: (cursor: string | null) => Promise<FeedPage>
  readonly since: string | null
  /** False: it ends where the feed ends. */
  readonly goesOn: boolean
}

export const PAGE = 500
/** Changes are heard; this is for those that are not. */
const LOOK_MS = 5_000
const AGAIN_MS = 500

const CURSOR = /^[0-9a-f]+:\d{1,15}$/

/** What somebody typed is a cursor, or a mistake; one that is only old is no mistake. */
export function requireCursor(since: string | undefined): string | null {
  if (since === undefined) return null
  if (CURSOR.test(since)) return since
  throw new BoardError('invalid_input', `${since} is no cursor: give the cursor of an event that was printed.`)
}

export async function* follow(context: StreamContext, following: Following): AsyncGenerator<Followed> {
  const { store, signal } = context
  const clock = makeAlarmClock()
  const onAbort = (): void => clock.ring()
  signal.addEventListener('abort', onAbort)
  const watcher = following.goesOn ? await store.watch(clock.ring) : null
  try {
    yield* pages(context, following, clock)
  } finally {
    signal.removeEventListener('abort', onAbort)
    await watcher?.stop()
  }
}

async function* pages(
  context: StreamContext,
  { read, since, goesOn }: Following,
  clock: AlarmClock,
): AsyncGenerator<Followed> {
  const { signal } = context
  let cursor = since
  while (!signal.aborted) {
    const page = await whenAnswered(context, () => read(cursor))
    if (page === null) {
      await clock.sleep(AGAIN_MS)
      continue
    }
    cursor = page.cursor
    if (page.resync) yield { kind: 'resync', cursor }
    yield* eventsOf(page, signal)
    if (page.more) continue
    if (!goesOn) return
    await clock.sleep(LOOK_MS)
  }
}

function* eventsOf({ events, cursor }: FeedPage, signal: AbortSignal): Generator<FollowedEvent> {
  const epoch = cursor.slice(0, cursor.indexOf(':'))
  for (const event of events) {
    if (signal.aborted) return
    yield { ...event, cursor: `${epoch}:${event.id}` }
  }
}

/** Null when the store could not be reached, which passes; said once each time. */
export async function whenAnswered<T>({ onTrouble }: StreamContext, ask: () => Promise<T>): Promise<T | null> {
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
