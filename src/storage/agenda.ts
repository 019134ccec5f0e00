/** Queries of a dispatcher: due cards, lanes of ready cards, recent crashes. Each reads only the rows it returns. */
import type { RunId, TaskId } from '../core/ids.ts'
import type { Status } from '../core/vocabulary.ts'
import { crashesSince } from './queries/history.ts'
import * as tasks from './queries/tasks.ts'
import { RUN } from './rows.ts'
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

export function* nextDueAt(): Tx<number | null> {
  const row = yield* first(tasks.nextDue())
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
