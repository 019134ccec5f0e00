/**
 * The only code that changes `open_parents`. It runs when a parent starts or stops gating its children, or when a link
 * is added or removed. It changes the children's counts, promotes children without open parents to ready, and demotes
 * ready children that must wait again. Set-based: 500 children cost a handful of statements. Core's `shiftGate` does
 * the same for one child.
 */
import type { EventDraft } from '../core/event.ts'
import type { RunId, TaskId } from '../core/ids.ts'
import type { Dialect } from './dialect.ts'
import { EMPTY, chunks, valueList, raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { PARENT_GATES } from './queries/facts.ts'
import { all, run } from './tx.ts'
import type { Row, Tx } from './tx.ts'

export interface GateShift {
  readonly board: string
  readonly parent: TaskId
  /** The only child to change. If it is missing, all children of the parent change. */
  readonly child?: TaskId
  readonly delta: 1 | -1
  readonly cause: 'linked' | 'parent_reopened'
  readonly now: number
}

/**
 * Selects the children to change. For a single child, the query checks that the parent gates. For all children, the
 * caller has already checked it.
 */
const edges = ({ board, parent, child }: GateShift): Sql => sql`
  select child_id from link where board = ${board} and parent_id = ${parent} and waived_by is null
  ${
    child === undefined
      ? EMPTY
      : sql`and child_id = ${child}
        and exists (select 1 from task p where p.board = ${board} and p.id = ${parent} and ${PARENT_GATES})`
  }`

/**
 * Children are found by id alone, which is unique in the store. If the statements named the board too, PostgreSQL would
 * read the whole board for each child while it has no statistics of new cards.
 *
 * Children are locked in one statement and changed in a later one: under READ COMMITTED only the later statement sees
 * an edge or a waiver that was committed while the first waited.
 */
export function* shiftGates(dialect: Dialect, shift: GateShift): Tx<EventDraft[]> {
  const { delta, now } = shift
  yield* lockChildren(dialect, shift)
  const moved = yield* all(sql`
    update task set open_parents = open_parents + ${delta}, updated_at = ${now}
    where id in (${edges(shift)})
    returning id, status, open_parents, deleted_at, current_run_id`)
  const live = moved.filter((row) => row.deleted_at === null).sort(byId)
  return delta < 0 ? yield* promoteFreed(live) : yield* demoteGated(shift, live)
}

/**
 * Locks one child, or all children of the parent, by id. SQLite has one writer and needs no locks.
 *
 * The decision already holds these locks, unless a child was linked while the decision waited. Waiting for the lock of
 * such a child could deadlock. So if another transaction holds this lock, the decision starts again and locks all cards
 * in order.
 */
export function* lockChildren(
  { engine, forUpdate }: Dialect,
  { board, parent, child }: Pick<GateShift, 'board' | 'parent' | 'child'>,
): Tx<void> {
  if (engine === 'sqlite') return
  const children =
    child === undefined
      ? sql`id in (select child_id from link where board = ${board} and parent_id = ${parent})`
      : sql`id = ${child}`
  yield* run(sql`select id from task where ${children} order by id ${forUpdate} nowait`)
}

interface Waivers {
  readonly board: string
  readonly child: TaskId
  readonly now: number
}

/** Counts the links of a card that meet the condition and whose parent gates. */
const gatingEdges = ({ board, child }: Waivers, condition: Sql): Sql => sql`
  (select count(*) from link l join task p on p.board = l.board and p.id = l.parent_id
    where l.board = ${board} and l.child_id = ${child} and ${condition} and ${PARENT_GATES})`

/** A person waives some parents of a card. The verb sets the card's status itself, so no event follows. */
export function* waiveEdges(waivers: Waivers & { parents: readonly TaskId[]; by: string }): Tx<void> {
  const { board, child, now, by } = waivers
  for (const parents of chunks(waivers.parents)) {
    const unwaived = gatingEdges(waivers, sql`l.waived_by is null and l.parent_id in ${valueList(parents)}`)
    yield* run(sql`update task set open_parents = open_parents - ${unwaived} where board = ${board} and id = ${child}`)
    yield* run(sql`update link set waived_by = ${by}, waived_at = ${now}
      where board = ${board} and child_id = ${child} and parent_id in ${valueList(parents)}`)
  }
}

/** Makes all waived parents of a card count again. The verb sets the card's status itself, so no event follows. */
export function* clearWaivers(waivers: Waivers): Tx<void> {
  const { board, child } = waivers
  const waived = gatingEdges(waivers, raw('l.waived_by is not null'))
  yield* run(sql`update task set open_parents = open_parents + ${waived} where board = ${board} and id = ${child}`)
  yield* run(sql`update link set waived_by = null, waived_at = null
    where board = ${board} and child_id = ${child} and waived_by is not null`)
}

const byId = (a: Row, b: Row): number => (String(a.id) < String(b.id) ? -1 : 1)

const idsOf = (rows: readonly Row[]): TaskId[] => rows.map((row) => row.id as TaskId)

/** Selects by id alone: the rows are locked, and any other condition might make PostgreSQL choose a worse index. */
function* promoteFreed(moved: readonly Row[]): Tx<EventDraft[]> {
  const freed = idsOf(moved.filter((row) => row.status === 'todo' && row.open_parents === 0))
  for (const some of chunks(freed))
    yield* run(sql`
      update task set status = 'ready', block_kind = null, block_reason = null, blocked_by = null
      where id in ${valueList(some)}`)
  return freed.map((taskId) => ({ kind: 'promoted', taskId, data: { cause: 'parents' } }))
}

function* demoteGated({ parent, cause, now }: GateShift, moved: readonly Row[]): Tx<EventDraft[]> {
  for (const some of chunks(idsOf(moved.filter((row) => row.status === 'ready'))))
    yield* run(sql`update task set status = 'todo' where id in ${valueList(some)}`)
  const running = moved.filter((row) => row.status === 'running').map((row) => row.current_run_id as RunId)
  for (const some of chunks(running))
    yield* run(sql`update run set parent_reopened_at = ${now} where id in ${valueList(some)} and ended_at is null`)
  return moved.flatMap((row): EventDraft[] => {
    const taskId = row.id as TaskId
    if (row.status === 'ready') return [{ kind: 'demoted', taskId, data: { cause, parent } }]
    if (row.status === 'running')
      return [{ kind: 'parent_reopened', taskId, runId: row.current_run_id as RunId, data: { parent } }]
    return []
  })
}
