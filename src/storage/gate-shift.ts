/**
 * The only code that changes `open_parents`, the number of unfinished parents that a card waits for. It runs when a
 * parent finishes or reopens, and when a link is added or removed. Children without unfinished parents become ready,
 * and ready children with an unfinished parent become todo.
 *
 * Each statement changes all children at once, so a card with 500 children needs only a few statements. The function
 * `shiftGate` in core does the same for one child.
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
  /** The only child to change. If this is missing, all children of the parent change. */
  readonly child?: TaskId
  readonly delta: 1 | -1
  readonly cause: 'linked' | 'parent_reopened'
  readonly now: number
}

/**
 * Selects the children to change. For a single child, the query checks that the parent is unfinished. For all children,
 * the caller has checked this.
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
 * Updates children by id alone, because ids are unique in the store. With the board in the condition, PostgreSQL would
 * read the whole board for each child until it has statistics of new cards.
 *
 * Children are locked in one statement and changed in a later one. Under READ COMMITTED, only the later statement sees
 * a link or a waiver that was committed while the first statement waited.
 */
export function* shiftGates(dialect: Dialect, shift: GateShift): Tx<EventDraft[]> {
  const { delta, now } = shift
  yield* lockChildren(dialect, shift)
  const moved = yield* all(sql`
    update task set open_parents = open_parents + ${delta}, updated_at = ${now}
    where id in (${edges(shift)})
    returning id, status, open_parents, deleted_at, current_run_id, tournament`)
  const live = moved.filter((row) => row.deleted_at === null).sort(byId)
  return delta < 0 ? yield* promoteFreed(live) : yield* demoteGated(shift, live)
}

/**
 * Locks one child, or all children of the parent, in the order of their ids. SQLite has one writer and needs no locks.
 *
 * The decision usually holds these locks already. Only a child that was linked while the decision waited is not locked,
 * and waiting for its lock could deadlock. So if another transaction holds that lock, the store repeats the decision
 * and locks all cards in order.
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

/** Counts the links of a card that meet the condition and whose parent is unfinished. */
const gatingEdges = ({ board, child }: Waivers, condition: Sql): Sql => sql`
  (select count(*) from link l join task p on p.board = l.board and p.id = l.parent_id
    where l.board = ${board} and l.child_id = ${child} and ${condition} and ${PARENT_GATES})`

/**
 * Waives the links to some parents of a card. The verb sets the status of the card itself, so this function writes no
 * event.
 */
export function* waiveEdges(waivers: Waivers & { parents: readonly TaskId[]; by: string }): Tx<void> {
  const { board, child, now, by } = waivers
  for (const parents of chunks(waivers.parents)) {
    const unwaived = gatingEdges(waivers, sql`l.waived_by is null and l.parent_id in ${valueList(parents)}`)
    yield* run(sql`update task set open_parents = open_parents - ${unwaived} where board = ${board} and id = ${child}`)
    yield* run(sql`update link set waived_by = ${by}, waived_at = ${now}
      where board = ${board} and child_id = ${child} and parent_id in ${valueList(parents)}`)
  }
}

/**
 * Removes all waivers of a card, so that the card waits for these parents again. The verb sets the status of the card
 * itself, so this function writes no event.
 */
export function* clearWaivers(waivers: Waivers): Tx<void> {
  const { board, child } = waivers
  const waived = gatingEdges(waivers, raw('l.waived_by is not null'))
  yield* run(sql`update task set open_parents = open_parents + ${waived} where board = ${board} and id = ${child}`)
  yield* run(sql`update link set waived_by = null, waived_at = null
    where board = ${board} and child_id = ${child} and waived_by is not null`)
}

const byId = (a: Row, b: Row): number => (String(a.id) < String(b.id) ? -1 : 1)

const idsOf = (rows: readonly Row[]): TaskId[] => rows.map((row) => row.id as TaskId)

/**
 * Moves the cards whose last unfinished parent is gone to ready. The rows are locked, so the id is enough to find them.
 * Another condition might make PostgreSQL choose a slower index.
 */
function* promoteFreed(moved: readonly Row[]): Tx<EventDraft[]> {
  const freed = idsOf(moved.filter((row) => row.status === 'todo' && row.open_parents === 0 && row.tournament === null))
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
