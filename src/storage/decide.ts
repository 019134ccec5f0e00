/** Lock the scope → rows, clock and facts → core → state and events: one transaction, or nothing. */
import { decideWith, factsFor, prepare } from '../core/command.ts'
import type { Command, Moment, Outcome, Prepared } from '../core/command.ts'
import { actorName } from '../core/actor.ts'
import type { Change, Decision, Rows, Scope } from '../core/decision.ts'
import { BoardError } from '../core/errors.ts'
import type { FactQuery } from '../core/facts.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { freshSlot } from '../core/fresh-slot.ts'
import type { Slot, SlotKey } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { loadVerb } from '../core/transitions/load.ts'
import { applyChanges } from './apply.ts'
import type { Dialect } from './dialect.ts'
import { answer, openRunsOf } from './queries/facts.ts'
import { insert } from './queries/write.ts'
import { ACCOUNT, BOARD, DISPATCHER, RUN, SLOT, TASK } from './rows.ts'
import { EMPTY, chunks, join, list, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { all, first, run } from './tx.ts'
import type { Tx } from './tx.ts'

export interface Decided {
  readonly outcome: Outcome<unknown>
  /** Whether anything was written that a watcher might care about. */
  readonly rings: boolean
}

/** Carries out a command, or returns the fault in its input without touching the store. */
export async function decideIn(dialect: Dialect, command: Command): Promise<(() => Tx<Decided>) | BoardError> {
  const prepared = prepare(command, await loadVerb(command.verb))
  return prepared instanceof BoardError ? prepared : () => decideTx(dialect, command, prepared)
}

function* decideTx(dialect: Dialect, command: Command, prepared: Prepared): Tx<Decided> {
  const scope: Scope = prepared.verb.scope(prepared.input, command.board)
  const rows = yield* lockScope(dialect, command.board, scope)
  const board = rows.board ?? prepared.verb.unborn?.(command.board)
  if (board === undefined) return refusedFor(noBoard(command.board))
  const now = yield* dialect.now()
  const moment: Moment = { rows, board, actor: command.actor, now }
  const facts = yield* answerAll(factsFor(prepared, moment), command.board)
  const decision = decideWith(prepared, moment, facts)
  const followed = yield* applyChanges(dialect, moment, decision.changes)
  const events = [...decision.events, ...followed]
  if (events.length > 0) {
    const actor = actorName(command.actor)
    yield* dialect.appendEvents(events.map((draft) => ({ board: command.board, actor, createdAt: now, draft })))
  }
  return { outcome: outcomeOf(decision, now), rings: events.length > 0 || decision.changes.some(movesCard) }
}

/** A card's deadline may have come nearer without an event; leases and bare activity wake nobody. */
const movesCard = (change: Change): boolean => change.op === 'update_task' && Object.keys(change.patch).length > 0

const noBoard = (slug: string): BoardError =>
  new BoardError('board_not_found', `There is no board ${slug}: muster boards create ${slug} makes it.`, {
    details: { board: slug },
  })

const refusedFor = (error: BoardError): Decided => ({ outcome: { ok: false, error }, rings: false })

const outcomeOf = (decision: Decision<unknown>, now: number): Outcome<unknown> =>
  decision.ok
    ? { ok: true, result: decision.result, now }
    : { ok: false, error: new BoardError(decision.code, decision.message, { details: decision.details }) }

function* answerAll(queries: Readonly<Record<string, FactQuery>>, board: string): Tx<Record<string, unknown>> {
  const facts: Record<string, unknown> = {}
  for (const [name, query] of Object.entries(queries)) facts[name] = yield* answer(query, board)
  return facts
}

/** The fixed lock order: graph, slots, account, dispatcher, parents, tasks, runs; the feed comes last, at commit. */
function* lockScope(dialect: Dialect, board: string, scope: Scope): Tx<Rows> {
  const { forUpdate, forShare } = dialect
  if (scope.graph) yield* dialect.lockGraph(board)
  const boardLock = scope.board === 'write' ? forUpdate : scope.board === 'read' ? forShare : EMPTY
  const boardRow = yield* first(sql`select ${BOARD.columns} from board where slug = ${board} ${boardLock}`)
  const slots = yield* lockSlots(dialect, scope.slots ?? [])
  const account =
    scope.account == null
      ? null
      : yield* first(sql`select ${ACCOUNT.columns} from account where name = ${scope.account} ${forUpdate}`)
  const dispatcher =
    scope.dispatcher === undefined
      ? null
      : yield* first(sql`select ${DISPATCHER.columns} from dispatcher where machine = ${scope.dispatcher} ${forUpdate}`)
  const parents = yield* lockTasks(board, scope.parents ?? [], forShare)
  const tasks = yield* lockTasks(board, scope.tasks ?? [], forUpdate)
  const runs = yield* lockRuns(board, tasks, forUpdate)
  return {
    board: boardRow === null ? null : BOARD.decode(boardRow),
    slots,
    account: account === null ? null : ACCOUNT.decode(account),
    dispatcher: dispatcher === null ? null : DISPATCHER.decode(dispatcher),
    parents,
    tasks,
    runs,
  }
}

function* lockTasks(board: string, ids: readonly TaskId[], lock: Sql): Tx<Map<TaskId, Task>> {
  const found = new Map<TaskId, Task>()
  for (const some of chunks([...new Set(ids)].sort())) {
    const rows = yield* all(
      sql`select ${TASK.columns} from task where board = ${board} and id in ${list(some)} order by id ${lock}`,
    )
    for (const row of rows) found.set(row.id as TaskId, TASK.decode(row))
  }
  return found
}

function* lockRuns(board: string, tasks: ReadonlyMap<TaskId, Task>, lock: Sql): Tx<Map<TaskId, Run>> {
  const running = [...tasks.values()].filter((task) => task.currentRunId !== null).map((task) => task.id)
  if (running.length === 0) return new Map()
  const rows = yield* all(openRunsOf(board, running, lock))
  return new Map(rows.map((row) => [row.task_id as TaskId, RUN.decode(row)]))
}

/** By code units, as the engines sort: whoever makes rows takes them in the order in which others lock them. */
const bySlot = (a: SlotKey, b: SlotKey): number => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1)

/** Locks the rows that caps are counted behind, making those that nobody has needed before. */
function* lockSlots(dialect: Dialect, keys: readonly SlotKey[]): Tx<Slot[]> {
  if (keys.length === 0) return []
  const sorted = [...keys].sort(bySlot)
  const matches = join(
    sorted.map(({ kind, name }) => sql`(kind = ${kind} and name = ${name})`),
    ' or ',
  )
  const query = sql`select ${SLOT.columns} from slot where ${matches} order by kind, name ${dialect.forUpdate}`
  const found = (yield* all(query)).map((row) => SLOT.decode(row))
  const missing = sorted.filter((key) => !found.some((slot) => slot.kind === key.kind && slot.name === key.name))
  if (missing.length === 0) return found
  for (const key of missing) yield* run(sql`${insert(SLOT, freshSlot(key))} on conflict do nothing`)
  return (yield* all(query)).map((row) => SLOT.decode(row))
}
