/** The feed: events in order, by cursor. Ids only grow within an epoch; a restore begins a new one. */
import type { Dialect } from './dialect.ts'
import { getMeta } from './migrate.ts'
import { EVENT } from './rows.ts'
import { sql } from './sql.ts'
import type { FeedPage } from './store.ts'
import { all } from './tx.ts'
import type { Tx } from './tx.ts'

const CURSOR = /^([0-9a-f]+):(\d{1,15})$/

export function* feedAfter(dialect: Dialect, cursor: string | null, limit: number): Tx<FeedPage> {
  const epoch = (yield* getMeta('epoch')) ?? '0'
  const floor = Number((yield* getMeta('floor')) ?? 0)
  const last = yield* dialect.lastEventId()
  const head: FeedPage = { events: [], cursor: `${epoch}:${last}`, resync: false }
  if (cursor === null) return head
  const [, itsEpoch, id] = CURSOR.exec(cursor) ?? []
  const after = Number(id)
  if (itsEpoch !== epoch || after < floor || after > last) return { ...head, resync: true }
  const rows = yield* all(sql`select ${EVENT.columns} from event where id > ${after} order by id limit ${limit}`)
  const events = rows.map((row) => EVENT.decode(row))
  return { events, cursor: `${epoch}:${events.at(-1)?.id ?? after}`, resync: false }
}
