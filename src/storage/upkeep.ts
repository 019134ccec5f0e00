/** Maintains a store in small steps, so that no writer waits long. */
import type { RunId, TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import type { Task } from '../core/task.ts'
import { recordedFiles, storedPaths } from './queries/history.ts'
import {
  countForgettable,
  deferred,
  deletedBefore,
  endsOf,
  everKnown,
  forget,
  namedPlaces,
  raiseFloor,
  stretchAfter,
  sweepable,
  sweepingSince,
} from './queries/upkeep.ts'
import { chunks } from './sql.ts'
import type { Sql } from './sql.ts'
import type { DeletedCard, EventSweep, RecordedFile, SweptEvents } from './store.ts'
import { all, askAll, first, run } from './tx.ts'
import type { Asking, Row, Tx } from './tx.ts'

/** The number of events in one step. */
const STRETCH = 1_000

/**
 * Deletes old events and raises the oldest id that a cursor may have, in one transaction. So a reader that missed a
 * deleted event reads the board again.
 */
export function* sweepStretch({ before, board, after, remove }: EventSweep): Tx<SweptEvents> {
  const found = yield* first(stretchAfter(after, STRETCH))
  if (found?.last == null || Number(found.oldest) >= before) return { events: 0, next: null }
  const stretch = { after, last: Number(found.last), before, board }
  if (!remove) {
    const row = yield* first(countForgettable(stretch))
    return { events: Number(row?.n ?? 0), next: stretch.last }
  }
  const gone = yield* all(forget(stretch))
  if (gone.length > 0) yield* run(raiseFloor(Math.max(...gone.map(({ id }) => Number(id)))))
  return { events: gone.length, next: stretch.last }
}

export function* cardsDeletedBefore(board: string, before: number): Tx<DeletedCard[]> {
  return (yield* all(deletedBefore(board, before))).map((row) => ({
    id: row.id as TaskId,
    title: String(row.title),
    deletedAt: Number(row.deleted_at),
    workspace: {
      kind: row.workspace_kind,
      path: row.workspace_path,
      repo: row.workspace_repo,
      state: row.workspace_state,
      base: row.workspace_base,
      baseBranch: row.workspace_base_branch,
    } as Task['workspace'],
  }))
}

export function* runEnds(ids: readonly RunId[]): Tx<Map<RunId, Pick<Run, 'board' | 'endedAt'>>> {
  const rows = yield* inChunks(ids, endsOf)
  return new Map(
    rows.map((row) => [row.id as RunId, { board: String(row.board), endedAt: row.ended_at as number | null }]),
  )
}

export function* sweepableAmong(board: string, ids: readonly TaskId[], before: number): Tx<TaskId[]> {
  return (yield* inChunks(ids, (some) => sweepable(board, some, before))).map(({ id }) => id as TaskId)
}

export function* deferredAmong(board: string, ids: readonly TaskId[]): Tx<TaskId[]> {
  return (yield* inChunks(ids, (some) => deferred(board, some))).map(({ id }) => id as TaskId)
}

export function* sweepingIn(board: string, before: number): Tx<TaskId[]> {
  return (yield* all(sweepingSince(board, before))).map(({ id }) => id as TaskId)
}

export function* placesNamed(): Asking<string[]> {
  const answers = yield* askAll([namedPlaces('dir'), namedPlaces('worktree')])
  return [...new Set(answers.flat().map(({ place }) => String(place)))].sort()
}

export function* knownAmong(board: string, ids: readonly TaskId[]): Tx<TaskId[]> {
  return (yield* inChunks(ids, (some) => everKnown(board, some))).map(({ id }) => id as TaskId)
}

export function* storedPathsOf(board: string, ids: readonly TaskId[]): Tx<string[]> {
  return (yield* inChunks(ids, (some) => storedPaths(board, some))).map((row) => String(row.stored_path))
}

export function* filesAfter(after: number, most: number): Tx<{ files: RecordedFile[]; next: number | null }> {
  const rows = yield* all(recordedFiles(after, most))
  const files = rows.map((row) => ({
    board: String(row.board),
    taskId: row.task_id as TaskId,
    filename: String(row.filename),
    storedPath: String(row.stored_path),
    size: Number(row.size),
    sha256: row.sha256 === null ? null : String(row.sha256),
  }))
  return { files, next: rows.length < most ? null : Number(rows.at(-1)?.seq) }
}

function* inChunks<T>(ids: readonly T[], query: (some: readonly T[]) => Sql): Tx<Row[]> {
  const rows: Row[] = []
  for (const some of chunks(ids)) rows.push(...(yield* all(query(some))))
  return rows
}
