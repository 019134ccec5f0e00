/**
 * Writes the changes of a decision to the store. This file also updates the columns that are computed from other
 * columns, so no verb can forget them.
 */
import { derivedColumns } from '../core/command.ts'
import type { DecideContext } from '../core/command.ts'
import type { Board } from '../core/board.ts'
import type { Change } from '../core/decision.ts'
import type { EventDraft } from '../core/event.ts'
import type { TaskId } from '../core/ids.ts'
import { gates } from '../core/gates/readiness.ts'
import type { Run } from '../core/run.ts'
import type { Task } from '../core/task.ts'
import type { Condition, Dialect } from './dialect.ts'
import { clearWaivers, lockChildren, shiftGates, waiveEdges } from './gate-shift.ts'
import { setMeta } from './migrate.ts'
import { memoryKey, noticeKey } from './queries/facts.ts'
import { lockUpTo, moveForward } from './queries/tasks.ts'
import { insert, update, upsert } from './queries/write.ts'
import type { Table } from './rows.ts'
import {
  ACCOUNT,
  ATTACHMENT,
  BLACKBOARD,
  BOARD,
  COMMENT,
  DISPATCHER,
  INBOX_MARK,
  LINK,
  RUN,
  SAVED_VIEW,
  SERIES,
  SLOT,
  TASK,
  TOKEN,
} from './rows.ts'
import { stillFree } from './still-free.ts'
import { removeEntry } from './swarms.ts'
import { raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { Conflict, run, runOrConflict } from './tx.ts'
import type { Tx } from './tx.ts'

interface ApplyInput extends DecideContext {
  /** The cards of the decision that have children. Null means that the decision did not query them. */
  readonly parents: ReadonlySet<TaskId> | null
}

interface ApplyWork extends ApplyInput {
  readonly dialect: Dialect
  /** The open runs, including the changes that have been applied so far. */
  readonly openRuns: Map<TaskId, Run>
  readonly conditions: Condition[]
}

interface Applied {
  /** The events that the changes cause on other cards. */
  readonly events: EventDraft[]
  /** The conditions under which the decision may commit. */
  readonly conditions: readonly Condition[]
}

/** Applies changes in order. */
export function* applyChanges(dialect: Dialect, input: ApplyInput, changes: readonly Change[]): Tx<Applied> {
  const work: ApplyWork = { ...input, dialect, openRuns: new Map(input.rows.runs), conditions: [] }
  const events: EventDraft[] = []
  for (const change of runsFirst(changes))
    // Pushes one event at a time. `push(...all)` would exceed the limit on arguments for a card with very many
    // children.
    for (const event of yield* applyChange(work, change)) events.push(event)
  return { events, conditions: work.conditions }
}

/** Writes runs before cards, because the `dueAt` of a card depends on its run. */
const runsFirst = (changes: readonly Change[]): readonly Change[] => {
  const isRun = (change: Change): boolean => change.op === 'update_run'
  return [...changes.filter(isRun), ...changes.filter((change) => !isRun(change))]
}

type Op = Change['op']
type ChangeOf<O extends Op> = Extract<Change, { op: O }>

/** Writes one kind of change. Returns events only if the change affects cards other than its own. */
type Applier<O extends Op> = (work: ApplyWork, change: ChangeOf<O>) => Tx<EventDraft[] | undefined> | Tx<void>

const APPLIERS: { readonly [O in Op]: Applier<O> } = {
  insert_task: (_, { row }) => run(insert(TASK, row)),
  update_task: (work, { id, patch }) => updateTask(work, id, patch),
  move_forward: moveCardsForward,
  purge_task: ({ board }, { id }) => purgeTask(board.slug, id),
  reserve_capacity: reserveOnServer,
  insert_run: insertRun,
  update_run: updateRun,
  insert_link: insertLink,
  delete_link: (work, { parentId, childId }) => deleteLink(work, parentId, childId),
  waive_links: ({ board, now }, { childId, parents, by }) =>
    waiveEdges({ board: board.slug, child: childId, parents, by, now }),
  clear_waivers: ({ board, now }, { childId }) => clearWaivers({ board: board.slug, child: childId, now }),
  insert_comment: (_, { row }) => run(insert(COMMENT, row)),
  insert_attachment: (_, { row }) => run(insert(ATTACHMENT, row)),
  delete_attachment: ({ board }, { id, taskId }) =>
    run(sql`delete from attachment where id = ${id} and board = ${board.slug} and task_id = ${taskId}`),
  put_slot: (_, { row }) => run(upsert(SLOT, row, ['kind', 'name'])),
  put_account: ({ rows }, { row }) => put(ACCOUNT, { was: rows.account, row, key: ['name'] }),
  put_board: (work, { row }) => putBoard(work, row),
  delete_board: deleteBoard,
  put_dispatcher: ({ rows }, { row }) => put(DISPATCHER, { was: rows.dispatcher, row, key: ['machine'] }),
  delete_dispatcher: (_, { machine }) => run(sql`delete from dispatcher where machine = ${machine}`),
  put_dispatcher_memory: (_, { machine, memory }) => setMeta(memoryKey(machine), memory),
  put_inbox_mark: (_, { row }) => run(upsert(INBOX_MARK, row, ['kind', 'name'])),
  delete_inbox_mark: (_, { kind, name }) => run(sql`delete from inbox_mark where kind = ${kind} and name = ${name}`),
  put_token: (_, { row }) => run(upsert(TOKEN, row, ['id'])),
  delete_token: (_, { id }) => run(sql`delete from token where id = ${id}`),
  delete_expired_tokens: (_, { before }) => run(sql`delete from token where expires_at <= ${before}`),
  touch_token: (_, { id, at }) => run(sql`update token set last_used_at = ${at} where id = ${id}`),
  put_saved_view: (_, { row }) => run(upsert(SAVED_VIEW, row, ['name'])),
  delete_saved_view: (_, { name }) => run(sql`delete from saved_view where name = ${name}`),
  put_series: ({ rows }, { row }) => put(SERIES, { was: rows.series, row, key: ['id'] }),
  delete_series: ({ board }, { id }) => run(sql`delete from series where board = ${board.slug} and id = ${id}`),
  put_blackboard_entry: (_, { row }) => run(upsert(BLACKBOARD, row, ['root', 'key'])),
  delete_blackboard_entry: (_, entry) => run(removeEntry(entry)),
  // If two processes insert this row at the same time, the second insert fails on the unique key. The store then
  // repeats the decision of the second process.
  record_notice: ({ now }, { about }) =>
    run(sql`insert into meta (key, value) values (${noticeKey(about)}, ${String(now)})`),
}

function* applyChange(work: ApplyWork, change: Change): Tx<EventDraft[]> {
  // Each kind of change has its own applier type. TypeScript cannot infer the type from `change.op`.
  const apply = APPLIERS[change.op] as Applier<Op>
  return (yield* apply(work, change)) ?? []
}

/**
 * Reserves places for new runs. SQLite needs no reservation: it has one writer, so the rows that the decision read
 * cannot have changed.
 */
// oxlint-disable-next-line require-yield -- must have the type `Applier`
function* reserveOnServer({ dialect, conditions }: ApplyWork, change: ChangeOf<'reserve_capacity'>): Tx<void> {
  if (dialect.engine === 'postgres') conditions.push(stillFree(change.reservation))
}

function* insertRun({ openRuns }: ApplyWork, { row }: ChangeOf<'insert_run'>): Tx<void> {
  if (row.endedAt === null) openRuns.set(row.taskId, row)
  yield* run(insert(RUN, row))
}

function* insertLink(work: ApplyWork, { row, counted }: ChangeOf<'insert_link'>): Tx<EventDraft[]> {
  yield* run(insert(LINK, row))
  return counted ? [] : yield* shiftEdge(work, row.parentId, row.childId, 1)
}

/**
 * Updates the card only if its status and run have not changed since the decision read them. The locks should prevent
 * such a change. If a change happens nevertheless, the store repeats the decision.
 */
function* updateTask(work: ApplyWork, id: TaskId, patch: ChangeOf<'update_task'>['patch']): Tx<EventDraft[]> {
  const before = work.rows.tasks.get(id)
  if (before === undefined) throw new Conflict(`the decision changes ${id}, which is not in its scope`)
  const openRun = work.openRuns.get(id) ?? null
  const derived = derivedColumns(before, patch, { run: openRun, board: work.board, now: work.now })
  yield* runOrConflict(
    update<Task>(
      TASK,
      [patch, derived],
      sql`board = ${work.board.slug} and id = ${id} and status = ${before.status}
        and current_run_id is not distinct from ${before.currentRunId}`,
    ),
    `${id} changed during the decision`,
  )
  const { status = before.status, deletedAt = before.deletedAt } = patch
  return yield* satisfactionChanged(work, before, { id, status, deletedAt })
}

/** Updates all children of a card when the card is finished or is no longer finished. */
function* satisfactionChanged(
  work: ApplyWork,
  before: Task,
  after: Pick<Task, 'id' | 'status' | 'deletedAt'>,
): Tx<EventDraft[]> {
  if (gates(before) === gates(after) || work.parents?.has(after.id) === false) return []
  const { dialect, now } = work
  const shift = { board: work.board.slug, parent: after.id, cause: 'parent_reopened', now } as const
  if (!gates(after)) return yield* shiftGates(dialect, { ...shift, delta: -1 })
  // A reopened parent blocks its children again, even if a person had waived the link: the waiver was for the parent's
  // earlier work.
  yield* lockChildren(dialect, shift)
  yield* run(sql`update link set waived_by = null, waived_at = null
    where board = ${work.board.slug} and parent_id = ${after.id} and waived_by is not null`)
  return yield* shiftGates(dialect, { ...shift, delta: 1 })
}

function* updateRun(work: ApplyWork, { taskId, patch }: ChangeOf<'update_run'>): Tx<EventDraft[]> {
  const open = work.openRuns.get(taskId)
  if (open === undefined) throw new Conflict(`the run of ${taskId} ended during the decision`)
  yield* runOrConflict(
    update(RUN, [patch], sql`board = ${work.board.slug} and id = ${open.id} and ended_at is null`),
    `run ${open.id} ended during the decision`,
  )
  if (patch.endedAt == null) work.openRuns.set(taskId, { ...open, ...patch })
  else work.openRuns.delete(taskId)
  return []
}

/**
 * Adds 1 to the child's number of unfinished parents, or subtracts 1. If the parent is finished, the number stays the
 * same.
 */
const shiftEdge = (
  { dialect, board, now }: ApplyWork,
  parent: TaskId,
  child: TaskId,
  delta: 1 | -1,
): Tx<EventDraft[]> => shiftGates(dialect, { board: board.slug, parent, child, delta, cause: 'linked', now })

function* deleteLink(work: ApplyWork, parent: TaskId, child: TaskId): Tx<EventDraft[]> {
  const events = yield* shiftEdge(work, parent, child, -1)
  yield* run(sql`delete from link where board = ${work.board.slug} and parent_id = ${parent} and child_id = ${child}`)
  return events
}

/**
 * Replaces the row, or inserts a row if the decision found no row. A missing row cannot be locked. So if two decisions
 * insert the same row, the second decision fails on the key and the store repeats it.
 */
const put = <T>(table: Table<T>, { was, row, key }: { was: T | null; row: T; key: readonly string[] }): Tx<void> =>
  run(was === null ? insert(table, row) : upsert(table, row, key))

/**
 * Writes the board and the ranks of its cards in one transaction, because the ranks depend on the board's
 * `starvationMs`.
 */
function* putBoard({ dialect, rows }: ApplyWork, row: Board): Tx<EventDraft[]> {
  yield* put(BOARD, { was: rows.board, row, key: ['slug'] })
  const { starvationMs } = row.settings
  if (rows.board === null || rows.board.settings.starvationMs === starvationMs) return []
  if (dialect.engine === 'postgres') yield* run(lockCards(row.slug, dialect.forUpdate))
  yield* run(sql`update task set rank = created_at - priority * ${starvationMs} + rank_shift where board = ${row.slug}`)
  return []
}

/** Makes room in a column. The locks prevent a deadlock with decisions about several of these cards. */
function* moveCardsForward({ dialect, board }: ApplyWork, { status, last, by }: ChangeOf<'move_forward'>): Tx<void> {
  const cards = { board: board.slug, status, last }
  if (dialect.engine === 'postgres') yield* run(lockUpTo(cards, dialect.forUpdate))
  yield* run(moveForward(cards, by))
}

/**
 * Deletes a board with its cards. Every writer of a card locks the card first, so no process can add rows to a card
 * after this function has locked all cards. If a run started before that, the store repeats the decision.
 */
function* deleteBoard({ dialect, board: { slug } }: ApplyWork): Tx<EventDraft[]> {
  if (dialect.engine === 'postgres') yield* run(lockCards(slug, dialect.forUpdate))
  yield* runOrConflict(
    sql`select 1 as done where not exists (select 1 from run where board = ${slug} and ended_at is null)`,
    `a run started on ${slug} during the decision`,
  )
  for (const table of ['comment', 'attachment', 'run', 'link', 'task'])
    yield* run(sql`delete from ${raw(table)} where board = ${slug}`)
  for (const table of ['inbox_mark', 'saved_view', 'series', 'blackboard'])
    yield* run(sql`delete from ${raw(table)} where board = ${slug}`)
  yield* run(sql`delete from slot where kind = 'board' and name = ${slug}`)
  yield* run(sql`delete from board where slug = ${slug}`)
  return []
}

/** Locks all cards of a board in the order of their ids. Returns only the number of cards. */
const lockCards = (board: string, lock: Sql): Sql => sql`
  select count(*) as n from (select id from task where board = ${board} order by id ${lock}) locked`

function* purgeTask(board: string, id: TaskId): Tx<EventDraft[]> {
  for (const table of ['comment', 'attachment', 'run'])
    yield* run(sql`delete from ${raw(table)} where board = ${board} and task_id = ${id}`)
  yield* run(sql`delete from link where board = ${board} and (parent_id = ${id} or child_id = ${id})`)
  yield* run(sql`delete from inbox_mark where kind = 'card' and name = ${id}`)
  yield* run(sql`delete from blackboard where root = ${id}`)
  yield* run(sql`delete from task where board = ${board} and id = ${id}`)
  return []
}
