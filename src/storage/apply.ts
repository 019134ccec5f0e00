/** Makes the changes of a decision durable. Derived columns and gate shifts follow from them here, for every verb alike. */
import { derivedColumns } from '../core/command.ts'
import type { DecideContext } from '../core/command.ts'
import type { Board } from '../core/board.ts'
import type { Change } from '../core/decision.ts'
import type { EventDraft } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import { gates } from '../core/gates/readiness.ts'
import type { Run } from '../core/run.ts'
import type { Task } from '../core/task.ts'
import type { Dialect } from './dialect.ts'
import { clearWaivers, lockChildren, shiftGates, waiveEdges } from './gate-shift.ts'
import { setMeta } from './migrate.ts'
import { memoryKey, noticeKey } from './queries/facts.ts'
import { insert, update, upsert } from './queries/write.ts'
import type { Table } from './rows.ts'
import { ACCOUNT, ATTACHMENT, BOARD, COMMENT, DISPATCHER, LINK, RUN, SLOT, TASK } from './rows.ts'
import { takePlace } from './take-place.ts'
import { raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { Conflict, run, runOrConflict } from './tx.ts'
import type { Tx } from './tx.ts'

interface Ground extends DecideContext {
  /** The cards of the decision that have children; null if that was not queried. */
  readonly parents: ReadonlySet<TaskId> | null
}

interface Work extends Ground {
  readonly dialect: Dialect
  /** Open runs as they stand after the changes made so far. */
  readonly openRuns: Map<TaskId, Run>
}

/** Applies changes in order and returns the events that followed from them. */
export function* applyChanges(dialect: Dialect, ground: Ground, changes: readonly Change[]): Tx<EventDraft[]> {
  const work: Work = { ...ground, dialect, openRuns: new Map(ground.rows.runs) }
  const events: EventDraft[] = []
  for (const change of runsFirst(changes))
    // One by one: a card may have more children than a call may have arguments.
    for (const event of yield* applyChange(work, change)) events.push(event)
  return events
}

/** A card's `dueAt` depends on its run, so runs are written before cards. */
const runsFirst = (changes: readonly Change[]): readonly Change[] => {
  const isRun = (change: Change): boolean => change.op === 'update_run'
  return [...changes.filter(isRun), ...changes.filter((change) => !isRun(change))]
}

function* applyChange(work: Work, change: Change): Tx<EventDraft[]> {
  const board = work.board.slug
  switch (change.op) {
    case 'insert_task':
      yield* run(insert(TASK, change.row))
      return []
    case 'update_task':
      return yield* updateTask(work, change.id, change.patch)
    case 'purge_task':
      return yield* purgeTask(board, change.id)
    case 'take_place':
      // SQLite has one writer: nothing has changed since the decision looked.
      if (work.dialect.engine === 'postgres') yield* takePlace(change.place)
      return []
    case 'insert_run':
      if (change.row.endedAt === null) work.openRuns.set(change.row.taskId, change.row)
      yield* run(insert(RUN, change.row), 'run')
      return []
    case 'update_run':
      return yield* updateRun(work, change)
    case 'insert_link':
      yield* run(insert(LINK, change.row))
      return change.counted ? [] : yield* shiftEdge(work, change.row.parentId, change.row.childId, 1)
    case 'delete_link':
      return yield* deleteLink(work, change.parentId, change.childId)
    case 'waive_links':
      yield* waiveEdges({ board, child: change.childId, parents: change.parents, by: change.by, now: work.now })
      return []
    case 'clear_waivers':
      yield* clearWaivers({ board, child: change.childId, now: work.now })
      return []
    case 'insert_comment':
      yield* run(insert(COMMENT, change.row), 'comment')
      return []
    case 'insert_attachment':
      yield* run(insert(ATTACHMENT, change.row))
      return []
    case 'delete_attachment':
      yield* run(
        sql`delete from attachment where id = ${change.id} and board = ${board} and task_id = ${change.taskId}`,
      )
      return []
    case 'put_slot':
      yield* run(upsert(SLOT, change.row, ['kind', 'name']))
      return []
    case 'put_account':
      yield* put(ACCOUNT, { was: work.rows.account, row: change.row, key: ['name'] })
      return []
    case 'put_board':
      return yield* putBoard(work, change.row)
    case 'delete_board':
      return yield* deleteBoard(work)
    case 'put_dispatcher':
      yield* put(DISPATCHER, { was: work.rows.dispatcher, row: change.row, key: ['machine'] })
      return []
    case 'delete_dispatcher':
      yield* run(sql`delete from dispatcher where machine = ${change.machine}`)
      return []
    case 'put_dispatcher_memory':
      yield* setMeta(memoryKey(change.machine), change.memory)
      return []
    case 'record_notice':
      // Not there when the decision looked; whoever says it at the same moment fails on the key, and decides again.
      yield* run(sql`insert into meta (key, value) values (${noticeKey(change.about)}, ${String(work.now)})`)
      return []
  }
}

/** A compare-and-set on what the decision saw. The locks make losing impossible; if it happens, decide again. */
function* updateTask(work: Work, id: TaskId, patch: Extract<Change, { op: 'update_task' }>['patch']): Tx<EventDraft[]> {
  const before = work.rows.tasks.get(id)
  if (before === undefined) throw new Conflict(`decision changes ${id}, which is not in its scope`)
  const openRun = work.openRuns.get(id) ?? null
  const derived = derivedColumns(before, patch, { run: openRun, board: work.board, now: work.now })
  yield* runOrConflict(
    update<Task>(
      TASK,
      [patch, derived],
      sql`board = ${work.board.slug} and id = ${id} and status = ${before.status}
        and current_run_id is not distinct from ${before.currentRunId}`,
    ),
    `${id} moved under the decision`,
    'task',
  )
  const { status = before.status, deletedAt = before.deletedAt } = patch
  return yield* satisfactionChanged(work, before, { id, status, deletedAt })
}

/** A card that begins or ceases to gate its children moves them all. */
function* satisfactionChanged(
  work: Work,
  before: Task,
  after: Pick<Task, 'id' | 'status' | 'deletedAt'>,
): Tx<EventDraft[]> {
  if (gates(before) === gates(after) || work.parents?.has(after.id) === false) return []
  const { dialect, now } = work
  const shift = { board: work.board.slug, parent: after.id, cause: 'parent_reopened', now } as const
  if (!gates(after)) return yield* shiftGates(dialect, { ...shift, delta: -1 })
  // A waiver overruled this parent as it stood then; reopened, it gates again.
  yield* lockChildren(dialect, shift)
  yield* run(sql`update link set waived_by = null, waived_at = null
    where board = ${work.board.slug} and parent_id = ${after.id} and waived_by is not null`)
  return yield* shiftGates(dialect, { ...shift, delta: 1 })
}

function* updateRun(work: Work, { taskId, patch }: Extract<Change, { op: 'update_run' }>): Tx<EventDraft[]> {
  const open = work.openRuns.get(taskId)
  if (open === undefined) throw new Conflict(`the run of ${taskId} ended under the decision`)
  yield* runOrConflict(
    update(RUN, [patch], sql`board = ${work.board.slug} and id = ${open.id} and ended_at is null`),
    `run ${open.id} ended under the decision`,
    'run',
  )
  if (patch.endedAt == null) work.openRuns.set(taskId, { ...open, ...patch })
  else work.openRuns.delete(taskId)
  return []
}

/** Moves one child by one edge, if the parent at its other end gates. */
const shiftEdge = ({ dialect, board, now }: Work, parent: TaskId, child: TaskId, delta: 1 | -1): Tx<EventDraft[]> =>
  shiftGates(dialect, { board: board.slug, parent, child, delta, cause: 'linked', now })

function* deleteLink(work: Work, parent: TaskId, child: TaskId): Tx<EventDraft[]> {
  const events = yield* shiftEdge(work, parent, child, -1)
  yield* run(sql`delete from link where board = ${work.board.slug} and parent_id = ${parent} and child_id = ${child}`)
  return events
}

/**
 * A row that the decision saw is replaced; one that was not there is only ever inserted. Nothing can be locked before
 * it exists, so whoever comes second fails on the key and decides again.
 */
const put = <T>(table: Table<T>, { was, row, key }: { was: T | null; row: T; key: readonly string[] }): Tx<void> =>
  run(was === null ? insert(table, row) : upsert(table, row, key))

/** The order of a board's cards depends on what a step of priority is worth there: both change together. */
function* putBoard({ rows }: Work, row: Board): Tx<EventDraft[]> {
  yield* put(BOARD, { was: rows.board, row, key: ['slug'] })
  const { starvationMs } = row.settings
  if (rows.board !== null && rows.board.settings.starvationMs !== starvationMs)
    yield* run(sql`update task set rank = created_at - priority * ${starvationMs} where board = ${row.slug}`)
  return []
}

/**
 * Every writer of a card locks it first, so with all of them locked nobody adds a row to what goes. A run that began
 * while the locks were waited for is seen now, and the decision is made again.
 */
function* deleteBoard({ dialect, board: { slug } }: Work): Tx<EventDraft[]> {
  if (dialect.engine === 'postgres') yield* run(lockCards(slug, dialect.forUpdate))
  yield* runOrConflict(
    sql`select 1 as done where not exists (select 1 from run where board = ${slug} and ended_at is null)`,
    `a run began on ${slug} under the decision`,
  )
  for (const table of ['comment', 'attachment', 'run', 'link', 'task'])
    yield* run(sql`delete from ${raw(table)} where board = ${slug}`)
  yield* run(sql`delete from slot where kind = 'board' and name = ${slug}`)
  yield* run(sql`delete from board where slug = ${slug}`)
  return []
}

/** All cards of a board in the order of their ids; only their number comes back. */
const lockCards = (board: string, lock: Sql): Sql => sql`
  select count(*) as n from (select id from task where board = ${board} order by id ${lock}) locked`

function* purgeTask(board: string, id: TaskId): Tx<EventDraft[]> {
  for (const table of ['comment', 'attachment', 'run'])
    yield* run(sql`delete from ${raw(table)} where board = ${board} and task_id = ${id}`)
  yield* run(sql`delete from link where board = ${board} and (parent_id = ${id} or child_id = ${id})`)
  yield* run(sql`delete from task where board = ${board} and id = ${id}`)
  return []
}
