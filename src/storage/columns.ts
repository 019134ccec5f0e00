/** The board as columns, and the cards that finished recently. */
import { STATUSES } from '../core/vocabulary.ts'
import type { Status } from '../core/vocabulary.ts'
import { countsByStatus } from './cards.ts'
import type { Dialect } from './dialect.ts'
import { tasksOf } from './queries/tasks.ts'
import { LISTED_TASK, RUN } from './rows.ts'
import type { ListedRow } from './rows.ts'
import { select } from './select.ts'
import { sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { BoardColumns, Finished } from './store.ts'
import { askAll } from './tx.ts'
import type { Tx } from './tx.ts'

/** The condition for cards of a board that finished after a point in time. It matches the index `task_finished`. */
const finishedAfter = (board: string, since: number): Sql =>
  sql`board = ${board} and status = 'done' and deleted_at is null and completed_at > ${since}`

const latestFinished = (board: string, since: number, limit: number): Sql => sql`
  select ${LISTED_TASK.columns} from task where ${finishedAfter(board, since)}
  order by completed_at desc, id desc limit ${limit}`

const finishedCount = (board: string, since: number): Sql =>
  sql`select count(*) as n from task where ${finishedAfter(board, since)}`

/** The first cards of every status except archived, with exact counts. `done` has only recently finished cards. */
export function* boardColumns(
  dialect: Pick<Dialect, 'now'>,
  board: string,
  { most, recentMs }: { readonly most: number; readonly recentMs: number },
): Tx<BoardColumns> {
  const now = yield* dialect.now()
  const since = now - recentMs
  const counts = yield* countsByStatus(board)
  const shown = STATUSES.filter((status) => status !== 'archived' && counts[status] > 0)
  const answers = yield* askAll([
    finishedCount(board, since),
    ...shown.map((status) =>
      status === 'done' ? latestFinished(board, since, most) : tasksOf(board, { status, limit: most }),
    ),
  ])
  const [finished = [], ...pages] = answers
  const cards = new Map(shown.map((status, at) => [status, (pages[at] ?? []).map((row) => LISTED_TASK.decode(row))]))
  const runs =
    counts.running === 0
      ? []
      : yield* select(RUN, sql`select ${RUN.columns} from run where ended_at is null and board = ${board}`)
  const column = (status: Status) => ({
    status,
    count: status === 'done' ? Number(finished[0]?.n ?? 0) : counts[status],
    cards: cards.get(status) ?? [],
  })
  return { now, columns: STATUSES.filter((status) => status !== 'archived').map(column), runs, counts }
}

/** The cards of some boards that finished after `since`, newest first. */
export function* finishedSince(
  boards: readonly string[],
  { since, most }: { readonly since: number; readonly most: number },
): Tx<Finished> {
  const answers = yield* askAll(
    boards.flatMap((board) => [finishedCount(board, since), latestFinished(board, since, most)]),
  )
  const count = answers.reduce((sum, rows, at) => sum + (at % 2 === 0 ? Number(rows[0]?.n ?? 0) : 0), 0)
  const cards = answers.flatMap((rows, at) => (at % 2 === 0 ? [] : rows.map((row) => LISTED_TASK.decode(row))))
  return { count, cards: cards.toSorted(byCompletion).slice(0, most) }
}

const byCompletion = (a: ListedRow, b: ListedRow): number => (b.completedAt ?? 0) - (a.completedAt ?? 0)
