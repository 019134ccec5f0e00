/** Lists and counts the cards of a board. */
import type { TaskId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import { STATUSES } from '../core/vocabulary.ts'
import type { Outcome, Status } from '../core/vocabulary.ts'
import type { Dialect } from './dialect.ts'
import { groupsOf, latestReviews, oldestInReview, oldestReady, reviewsCounted } from './queries/history.ts'
import * as tasks from './queries/tasks.ts'
import { endingsSince, usageSince } from './queries/usage.ts'
import { LISTED_TASK, TASK } from './rows.ts'
import type { ListedRow } from './rows.ts'
import { Search } from './search.ts'
import { chunks } from './sql.ts'
import type {
  AgentUsage,
  CardCount,
  HiddenCount,
  ListedTask,
  ReviewFigures,
  RunEnding,
  TaskFilter,
  TaskView,
} from './store.ts'
import { all, first } from './tx.ts'
import type { Row, Tx } from './tx.ts'

type Engine = Dialect['engine']

export function* viewOf(board: string, id: TaskId, { deleted = false } = {}): Tx<TaskView | null> {
  const row = yield* first(tasks.taskById(board, id))
  if (row === null || (row.deleted_at !== null && !deleted)) return null
  return (yield* withEdges(board, [TASK.decode(row)]))[0] ?? null
}

export function* viewsOf(engine: Engine, board: string, filter: TaskFilter): Tx<readonly ListedTask[]> {
  const place = filter.after === undefined ? null : yield* first(tasks.taskPosition(board, filter.after, filter.sort))
  // Without a cursor, the page starts at the beginning of the list.
  const ranges = place === null ? [[]] : tasks.rangesBehind(filter.sort, place)
  const search = filter.text === undefined ? null : new Search(engine, board, { ...filter, text: filter.text })
  const rows: Row[] = []
  for (const range of ranges) {
    const limit = filter.limit === undefined ? undefined : filter.limit - rows.length
    if (limit === 0) break
    const page = limit === undefined ? filter : { ...filter, limit }
    const found = yield* search === null ? all(tasks.tasksOf(board, page, range)) : search.matchesIn(range, limit)
    // Pushes one row at a time. `push(...all)` would exceed the limit on arguments for a board with very many cards.
    for (const row of found) rows.push(row)
  }
  return yield* withEdges(
    board,
    rows.map((row) => LISTED_TASK.decode(row)),
  )
}

type Edges = Pick<TaskView, 'parents' | 'children'>

/** Adds the ids of parents and children to some cards. */
function* withEdges<Card extends ListedRow>(board: string, found: readonly Card[]): Tx<(Card & Edges)[]> {
  const views: (Card & Edges)[] = []
  for (const some of chunks(found)) {
    const chunk = some.map((task) => ({ ...task, parents: [] as TaskId[], children: [] as TaskId[] }))
    const byId = new Map<unknown, (typeof chunk)[number]>(chunk.map((view) => [view.id, view]))
    const edges = yield* all(
      tasks.edgesOf(
        board,
        chunk.map((view) => view.id),
      ),
    )
    for (const edge of edges) {
      byId.get(edge.parent_id)?.children.push(edge.child_id as TaskId)
      byId.get(edge.child_id)?.parents.push(edge.parent_id as TaskId)
    }
    views.push(...chunk)
  }
  return views
}

export function* cardsByPrefix(
  prefix: string,
  options: { deleted?: boolean; board?: string },
): Tx<readonly Pick<Task, 'id' | 'board' | 'title'>[]> {
  const rows = yield* all(tasks.tasksByPrefix(prefix, options))
  return rows.map((row) => ({ id: row.id as TaskId, board: String(row.board), title: String(row.title) }))
}

export function* countDone(
  board: string,
  filter: TaskFilter,
  { at, most }: { at: number; most: number },
): Tx<HiddenCount> {
  const row = yield* first(tasks.countDone(board, filter, { at, most }))
  return { count: Number(row?.matching ?? 0), isCut: Number(row?.compared ?? 0) === most }
}

export function* countsByGroup(board: string): Tx<readonly CardCount[]> {
  return (yield* all(groupsOf(board))).map((row) => ({
    status: row.status as Status,
    assignee: row.assignee === '' ? null : (row.assignee as string),
    count: Number(row.n),
  }))
}

export function* readySince(board: string): Tx<number | null> {
  const oldest = (yield* first(oldestReady(board)))?.oldest ?? null
  return oldest === null ? null : Number(oldest)
}

/**
 * The maximum number of reviews to measure for each outcome. This is enough to show how long reviews take on a board.
 */
const TIMED = 200

export function* reviewFigures(board: string): Tx<ReviewFigures> {
  const waited: number[] = []
  const counts = { approved: 0, changes_requested: 0 }
  for (const kind of ['approved', 'changes_requested'] as const) {
    counts[kind] = Number((yield* first(reviewsCounted(board, kind)))?.n ?? 0)
    for (const { data } of yield* all(latestReviews(board, kind, TIMED))) {
      const { waitedMs } = JSON.parse(String(data)) as { readonly waitedMs?: number | null }
      if (waitedMs != null) waited.push(waitedMs)
    }
  }
  const since = (yield* first(oldestInReview(board)))?.since ?? null
  return {
    approved: counts.approved,
    changesRequested: counts.changes_requested,
    waitedMs: waited,
    oldestAt: since === null ? null : Number(since),
  }
}

export function* usageFigures(
  engine: Engine,
  board: string,
  range: { readonly days: readonly number[]; readonly most: number },
): Tx<readonly AgentUsage[]> {
  const rows = yield* all(usageSince(engine, board, range))
  return rows.map((row) => ({
    agent: String(row.agent),
    day: Number(row.day),
    runs: Number(row.runs),
    inputTokens: Number(row.tokens_in ?? 0),
    outputTokens: Number(row.tokens_out ?? 0),
    costUsd: Number(row.cost ?? 0),
  }))
}

export function* runEndings(since: number, most: number): Tx<readonly RunEnding[]> {
  return (yield* all(endingsSince(since, most))).map((row) => ({
    agent: String(row.agent),
    outcome: row.outcome as Outcome,
    runs: Number(row.n),
  }))
}

export function* countsByStatus(board: string): Tx<Readonly<Record<Status, number>>> {
  const rows = yield* all(tasks.countsOf(board))
  const found = new Map(rows.map((row) => [row.status, Number(row.n)]))
  return Object.fromEntries(STATUSES.map((status) => [status, found.get(status) ?? 0])) as Record<Status, number>
}
