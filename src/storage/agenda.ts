/**
 * The queries of a dispatcher: due cards, queues of ready cards, and recent crashes. Each query reads only the rows
 * that it returns.
 */
import type { RunId, TaskId } from '../core/ids.ts'
import { CLOCK_TOLERANCE_MS } from '../core/series.ts'
import type { Series } from '../core/series.ts'
import type { Status } from '../core/vocabulary.ts'
import { crashesSince } from './queries/history.ts'
import * as tasks from './queries/tasks.ts'
import { RUN, SERIES } from './rows.ts'
import { select } from './select.ts'
import { sql } from './sql.ts'
import type { Crash, DueCard, Lane } from './store.ts'
import { all, askAll, first, together } from './tx.ts'
import type { Asking, Tx } from './tx.ts'

export function* dueCards(now: number, limit: number): Tx<readonly DueCard[]> {
  return (yield* all(tasks.dueTasks(now, limit))).map((row) => ({
    board: String(row.board),
    id: row.id as TaskId,
    status: row.status as Status,
    dueAt: row.due_at as number | null,
    currentRunId: row.current_run_id as RunId | null,
  }))
}

export function* plannableCards(board: string, now: number, limit: number): Tx<readonly TaskId[]> {
  return (yield* all(tasks.plannableTasks(board, now, limit))).map((row) => row.id as TaskId)
}

export function* nextDueAt(): Tx<number | null> {
  const row = yield* first(tasks.nextDue())
  return (row?.due_at ?? null) as number | null
}

/** The series that are due, and the series whose next time was computed before the clock was set back. */
export function* dueSeries(now: number, limit: number): Tx<readonly Series[]> {
  const due = yield* select(
    SERIES,
    sql`select ${SERIES.columns} from series where due_at is not null and due_at <= ${now} order by due_at, id limit ${limit}`,
  )
  const stuck = yield* select(
    SERIES,
    sql`select ${SERIES.columns} from series where due_at is not null and computed_at > ${now + CLOCK_TOLERANCE_MS}
      order by computed_at, id limit ${limit}`,
  )
  return [...due, ...stuck.filter(({ id }) => due.every((one) => one.id !== id))].slice(0, limit)
}

export function* nextSeriesAt(): Tx<number | null> {
  const row = yield* first(sql`select due_at from series where due_at is not null order by due_at limit 1`)
  return (row?.due_at ?? null) as number | null
}

export function* openLanes(): Tx<readonly Lane[]> {
  const boards = yield* all(sql`select slug from board where archived_at is null order by slug`)
  const phases = ['review', 'work'] as const
  const lanes = yield* together(boards.flatMap(({ slug }) => phases.map((phase) => lanesOf(String(slug), phase))))
  return lanes.flat()
}

function* lanesOf(board: string, phase: Lane['phase']): Asking<Lane[]> {
  const [runners = [], unassigned = []] = yield* askAll([
    tasks.runnersOf(board, phase),
    tasks.hasUnclaimed(board, phase),
  ])
  return [...runners.map((row) => String(row.runner)), ...unassigned.map(() => null)].map((agent) => ({
    board,
    agent,
    phase,
  }))
}

export function* sizeOfLane(lane: Lane, most: number): Tx<number> {
  return Number((yield* first(tasks.laneSize(lane, most)))?.size ?? 0)
}

export function* crashesOf(since: number, limit: number): Tx<readonly Crash[]> {
  return (yield* select(RUN, crashesSince(since, limit))).flatMap(({ agent, endedAt, ...run }) =>
    agent === null || endedAt === null ? [] : [{ ...run, agent, endedAt }],
  )
}
