/** Reads the latest events, page by page into the past. */
import { EVENT } from './rows.ts'
import { EMPTY, join, raw, sql, valueList } from './sql.ts'
import type { Sql } from './sql.ts'
import type { ActivityPage, ActivityQuery } from './store.ts'
import { askAll } from './tx.ts'
import type { Tx } from './tx.ts'

/**
 * The maximum number of events that a page compares with the filter, so that the cost of a page does not grow with the
 * log.
 */
const COMPARED = 5_000

/** The events that a page compares, newest first. The events of a card have an index. */
function headOf({ task, before }: ActivityQuery): Sql {
  const earlier = before === null ? raw('id > 0') : sql`id < ${before}`
  const ofCard = task === null ? EMPTY : sql`and board = ${task.board} and task_id = ${task.id}`
  return sql`
    select id, board, kind, actor, created_at from event where ${earlier} ${ofCard} order by id desc limit ${COMPARED}`
}

function conditionsOf({ board, kinds, actor, from = null, until = null }: ActivityQuery): Sql {
  const conditions = [raw('true')]
  if (board !== null) conditions.push(sql`board = ${board}`)
  if (kinds !== null) conditions.push(sql`kind in ${valueList(kinds)}`)
  if (actor !== null) conditions.push(sql`actor = ${actor}`)
  if (from !== null) conditions.push(sql`created_at >= ${from}`)
  if (until !== null) conditions.push(sql`created_at < ${until}`)
  return join(conditions, ' and ')
}

export function* readActivity(asked: ActivityQuery): Tx<ActivityPage> {
  const head = headOf(asked)
  const chosen = sql`select id from (${head}) head where ${conditionsOf(asked)} order by id desc limit ${asked.most}`
  const columns = raw(EVENT.columnNames.map((name) => `event.${name}`).join(', '))
  const [rows = [], [compared] = []] = yield* askAll([
    sql`
      select ${columns}, task.title from event left join task on task.id = event.task_id
      where event.id in (${chosen}) order by event.id desc`,
    sql`select min(id) as last, min(created_at) as oldest, count(*) as n from (${head}) head`,
  ])
  const events = rows.map((row) => ({ ...EVENT.decode(row), title: row.title === null ? null : String(row.title) }))
  const isFull = events.length === asked.most
  const last = isFull ? (events.at(-1)?.id ?? null) : Number(compared?.last ?? 0)
  const { from = null } = asked
  const isPast = from !== null && Number(compared?.oldest ?? 0) < from
  return { events, next: isFull || (Number(compared?.n ?? 0) === COMPARED && !isPast) ? last : null }
}
