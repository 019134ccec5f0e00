/**
 * The feed is the list of events in order, read by cursor. Ids only grow within an epoch. A restore from a backup
 * starts a new epoch.
 */
import type { BoardEvent } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import type { Dialect } from './dialect.ts'
import { getMeta } from './migrate.ts'
import { EVENT } from './rows.ts'
import { select } from './select.ts'
import { sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { FeedPage } from './store.ts'
import { all, together } from './tx.ts'
import type { Tx } from './tx.ts'

const CURSOR = /^([0-9a-f]+):(\d{1,15})$/

interface Place {
  readonly epoch: string
  /** The id of the newest event in the feed. */
  readonly last: number
  readonly after: number
  readonly resync: boolean
}

/**
 * The position of a cursor. If the cursor is no longer valid, the reader must read the board again, and continues at
 * the end of the feed.
 */
function* feedPosition(dialect: Dialect, cursor: string): Tx<Place> {
  const [storedEpoch, storedFloor, last] = yield* together<[string | null, string | null, number]>([
    getMeta('epoch'),
    getMeta('floor'),
    dialect.lastEventId(),
  ])
  const epoch = storedEpoch ?? '0'
  const floor = Number(storedFloor ?? 0)
  const [, itsEpoch, id] = CURSOR.exec(cursor) ?? []
  const after = Number(id)
  return itsEpoch !== epoch || after < floor || after > last
    ? { epoch, last, after: last, resync: true }
    : { epoch, last, after, resync: false }
}

function* pageFrom({ epoch, last, after, resync }: Place, query: (after: number) => Sql, limit: number): Tx<FeedPage> {
  if (resync) return { events: [], cursor: `${epoch}:${last}`, resync, more: false }
  const events = (yield* all(query(after))).map((row) => EVENT.decode(row))
  const more = events.length === limit
  // A page that is not full is the last one. Its cursor moves to the end of the feed, past events that the filter
  // hides.
  return { events, cursor: `${epoch}:${more ? (events.at(-1)?.id ?? last) : last}`, resync, more }
}

export function* feedAfter(dialect: Dialect, cursor: string | null, limit: number): Tx<FeedPage> {
  const place = yield* feedPosition(dialect, cursor ?? '')
  if (cursor === null) return { events: [], cursor: `${place.epoch}:${place.last}`, resync: false, more: false }
  return yield* pageFrom(
    place,
    (after) => sql`select ${EVENT.columns} from event where id > ${after} order by id limit ${limit}`,
    limit,
  )
}

/** The latest events of a card, oldest first. */
export function* latestEvents(board: string, task: TaskId, limit: number): Tx<readonly BoardEvent[]> {
  const query = sql`
    select ${EVENT.columns} from event where board = ${board} and task_id = ${task} order by id desc limit ${limit}`
  return [...(yield* select(EVENT, query))].reverse()
}

/**
 * Like `feedAfter`, but reads the events of one card. Without a cursor, the page starts at the card's first stored
 * event.
 */
export function* cardFeedAfter(
  dialect: Dialect,
  { board, task }: { board: string; task: TaskId },
  cursor: string | null,
  limit: number,
): Tx<FeedPage> {
  const place = yield* feedPosition(dialect, cursor ?? '')
  return yield* pageFrom(
    cursor === null ? { ...place, after: 0, resync: false } : place,
    (after) => sql`
      select ${EVENT.columns} from event where board = ${board} and task_id = ${task} and id > ${after}
      order by id limit ${limit}`,
    limit,
  )
}
