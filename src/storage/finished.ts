/** Reads the cards that finished recently. */
import { LISTED_TASK } from './rows.ts'
import type { ListedRow } from './rows.ts'
import { join, raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { Finished } from './store.ts'
import { askAll, first, together } from './tx.ts'
import type { Asking, Rows, Tx } from './tx.ts'

/**
 * The condition for cards of a board that finished after a point in time. The condition matches the index
 * `task_finished`.
 */
const finishedAfter = (board: string, since: number): Sql =>
  sql`board = ${board} and status = 'done' and deleted_at is null and completed_at > ${since}`

const latestFinished = (board: string, since: number, limit: number): Sql => sql`
  select ${LISTED_TASK.columns} from task where ${finishedAfter(board, since)}
  order by completed_at desc, id desc limit ${limit}`

/** Counts at most `most` cards that finished after a point in time. */
export const finishedUpTo = (board: string, since: number, most: number): Sql => sql`
  select count(*) as n from (select 1 as one from task where ${finishedAfter(board, since)} limit ${most}) finished`

/** Counts at most `most` done cards that finished earlier. Imported cards may have no time. */
const finishedBefore = (board: string, since: number, most: number): Sql => sql`
  select count(*) as n from (
    select * from (
      select 1 as one from task
      where board = ${board} and status = 'done' and deleted_at is null and completed_at <= ${since}
      order by completed_at limit ${most}
    ) before
    union all
    select 1 from task where board = ${board} and status = 'done' and deleted_at is null and completed_at is null
    limit ${most}
  ) earlier`

const doneCount = (board: string): Sql => sql`select sum(n) as n from tally where board = ${board} and status = 'done'`

const FIRST_COUNTED = 1_000

/**
 * The number of cards that finished after a point in time. If there are many, it counts the earlier ones instead and
 * subtracts them from the total, which the board stores. So it reads few cards of a large board, unless there are many
 * of both.
 */
export function* finishedCount(board: string, since: number): Asking<number> {
  for (let most = FIRST_COUNTED; ; most *= 10) {
    const after = Number((yield* first(finishedUpTo(board, since, most)))?.n ?? 0)
    if (after < most) return after
    const [before = 0, done = 0] = (yield* askAll([finishedBefore(board, since, most), doneCount(board)])).map((rows) =>
      Number(rows[0]?.n ?? 0),
    )
    if (before < most) return done - before
  }
}

/** Counts the cards that finished in each period, among the latest `most` cards since the first of `starts`. */
export function finishedIn(board: string, starts: readonly number[], most: number): Sql {
  const later = starts.slice(1).map((start) => sql`case when completed_at >= ${start} then 1 else 0 end`)
  const period = later.length === 0 ? raw('0') : join(later, ' + ')
  return sql`
    select period, count(*) as n from (
      select ${period} as period from task where ${finishedAfter(board, (starts[0] ?? 0) - 1)}
      order by completed_at desc limit ${most}
    ) latest
    group by period order by period`
}

/** The cards of some boards that finished after `since`, newest first. */
export function* finishedSince(
  boards: readonly string[],
  { since, most }: { readonly since: number; readonly most: number },
): Tx<Finished> {
  const [counts, pages] = yield* together<[number[], readonly Rows[]]>([
    together<number[]>(boards.map((board) => finishedCount(board, since))),
    askAll(boards.map((board) => latestFinished(board, since, most))),
  ])
  const cards = pages.flatMap((rows) => rows.map((row) => LISTED_TASK.decode(row)))
  return { count: sum(counts), cards: cards.toSorted(byCompletion).slice(0, most) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const byCompletion = (a: ListedRow, b: ListedRow): number => (b.completedAt ?? 0) - (a.completedAt ?? 0)
