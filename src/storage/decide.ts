/**
 * Runs each decision in one transaction: locks the rows, reads rows, clock and facts, asks core, and writes the new
 * state with its events.
 */
import { decideWith, factsFor, guessFacts, prepareCommand } from '../core/command.ts'
import type { Command, DecideContext, DecisionOutcome, PreparedCommand } from '../core/command.ts'
import { actorName } from '../core/actor.ts'
import type { Change, Decision, ScopeRows, Scope } from '../core/decision.ts'
import { BoardError, noBoard } from '../core/errors.ts'
import type { FactQueries, FactQuery } from '../core/facts.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { freshSlot } from '../core/slot.ts'
import type { Slot, SlotKey } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { loadVerb } from '../core/transitions/load.ts'
import { applyChanges } from './apply.ts'
import type { Dialect } from './dialect.ts'
import { answerFact, openRunsOf } from './queries/facts.ts'
import { insert } from './queries/write.ts'
import { ACCOUNT, BOARD, DISPATCHER, RUN, SERIES, SLOT, TASK } from './rows.ts'
import { EMPTY, chunks, join, valueList, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { Conflict, all, askAll, first, run, together } from './tx.ts'
import type { Asking, Row, Tx } from './tx.ts'

export interface Decided {
  readonly outcome: DecisionOutcome<unknown>
  /** Whether the store must wake its watchers after the commit. */
  readonly rings: boolean
}

/** Returns the transaction of a command, or the error in its input. */
export async function decideIn(dialect: Dialect, command: Command): Promise<(() => Tx<Decided>) | BoardError> {
  const prepared = prepareCommand(command, await loadVerb(command.verb))
  if (prepared instanceof BoardError) return prepared
  const attempt: Attempt = { slotsMissing: false }
  return () => decideTx(dialect, { command, prepared, attempt })
}

/** The state that a decision passes to its next attempt after a conflict. */
interface Attempt {
  slotsMissing: boolean
}

interface DecideWork {
  readonly command: Command
  readonly prepared: PreparedCommand
  readonly attempt: Attempt
}

/**
 * Runs one attempt of a decision. PostgreSQL needs two or three round trips. The first takes the locks and reads the
 * clock and the facts that are probably needed. The second reads missing facts, if any. The last sends all writes.
 */
function* decideTx(dialect: Dialect, { command, prepared, attempt }: DecideWork): Tx<Decided> {
  const scope: Scope = prepared.verb.scope(prepared.input, command.board, command.actor)
  if (attempt.slotsMissing) yield* makeSlots(slotsOf(scope))
  if (scope.graph) yield* dialect.lockGraph(command.board)
  const guess = dialect.engine === 'postgres' ? guessFacts(prepared, command) : {}
  const [[rows, clock], [guessed, parents]] = yield* together<[Locked, [FactAnswers, ReadonlySet<TaskId> | null]]>([
    lockScope(dialect, command.board, scope),
    together<[FactAnswers, ReadonlySet<TaskId> | null]>([
      answerAll(Object.values(guess), command.board),
      scope.movesChildren === true ? parentsAmong(command.board, scope.tasks ?? []) : nothing(),
    ]),
  ])
  const now = clock ?? (yield* dialect.now())
  const board = rows.board ?? prepared.verb.boardIfMissing?.(command.board)
  if (board === undefined) return refusedFor(noBoard(command.board))
  if (rows.slots.length < slotsOf(scope).length) {
    attempt.slotsMissing = true
    throw new Conflict('a slot has no row yet')
  }
  const moment: DecideContext = { rows, board, actor: command.actor, now }
  const facts = yield* answerRest(factsFor(prepared, moment), command.board, guessed)
  const decision = decideWith(prepared, moment, facts)
  const applied = yield* applyChanges(dialect, { ...moment, parents }, decision.changes)
  const events = [...decision.events, ...applied.events]
  if (events.length > 0) {
    const actor = actorName(command.actor)
    const rowsOf = events.map((draft) => ({ board: command.board, actor, createdAt: now, draft }))
    yield* dialect.appendEvents(rowsOf, applied.conditions)
  }
  return { outcome: outcomeOf(decision, now), rings: events.length > 0 || decision.changes.some(movesCard) }
}

const slotsOf = ({ slots = [], reserves = [] }: Scope): readonly SlotKey[] => [...slots, ...reserves]

/**
 * Whether a change may move the deadline of a card. In that case, watchers must wake even if the decision wrote no
 * event. Renewing a lease changes no field of a card, so it wakes no watcher.
 */
const movesCard = (change: Change): boolean => change.op === 'update_task' && Object.keys(change.patch).length > 0

const refusedFor = (error: BoardError): Decided => ({ outcome: { ok: false, error }, rings: false })

const outcomeOf = (decision: Decision<unknown>, now: number): DecisionOutcome<unknown> =>
  decision.ok
    ? { ok: true, result: decision.result, now }
    : { ok: false, error: new BoardError(decision.code, decision.message, { details: decision.details }) }

/** The answers to fact queries. The key of each answer is the JSON of its query. */
type FactAnswers = ReadonlyMap<string, unknown>

/** Sends each query once, even if a verb asks for the same fact under two names. */
function* answerAll(queries: readonly FactQuery[], board: string): Asking<FactAnswers> {
  const asked = new Map(queries.map((query) => [JSON.stringify(query), query]))
  const answers = yield* together([...asked.values()].map((query) => answerFact(query, board)))
  return new Map([...asked.keys()].map((key, at) => [key, answers[at]]))
}

/**
 * The answers to the queries of the verb, under the names that the verb chose. Queries that were answered together with
 * the locks are not sent again.
 */
function* answerRest(queries: FactQueries, board: string, guessed: FactAnswers): Asking<Record<string, unknown>> {
  const keyed = Object.entries(queries).map(([name, query]) => ({ name, query, key: JSON.stringify(query) }))
  const rest = keyed.filter(({ key }) => !guessed.has(key)).map(({ query }) => query)
  const answered = yield* answerAll(rest, board)
  return Object.fromEntries(
    keyed.map(({ name, key }) => [name, guessed.has(key) ? guessed.get(key) : answered.get(key)]),
  )
}

/** The cards that have children. These cards are locked, so no command can add a child afterwards. */
function* parentsAmong(board: string, ids: readonly TaskId[]): Asking<ReadonlySet<TaskId>> {
  const answers = yield* askAll(
    [...chunks(ids)].map(
      (some) => sql`select distinct parent_id from link where board = ${board} and parent_id in ${valueList(some)}`,
    ),
  )
  return new Set(answers.flat().map((row) => row.parent_id as TaskId))
}

/** The rows of a scope. The time is null if the clock was not read with them. */
type Locked = [rows: ScopeRows, now: number | null]

type LockedRows = [
  board: Row | null,
  account: Row | null,
  dispatcher: Row | null,
  series: Row | null,
  cards: null,
  parents: Map<TaskId, Task>,
  tasks: Map<TaskId, Task>,
  runs: Map<TaskId, Run>,
  slots: Slot[],
  reserved: Slot[],
  last: Row | null,
]

/**
 * Locks and reads the rows of a scope. Locks are always taken in this order: graph, board, account, dispatcher, series,
 * cards, runs, slots, and at commit the event feed. Each statement sees the commits that were made while the statement before
 * it waited for a lock. So the query for runs also finds a run that has just started.
 */
function* lockScope(dialect: Dialect, board: string, scope: Scope): Asking<Locked> {
  const { forUpdate, forNoKeyUpdate, forShare, clock } = dialect
  // The lock on the board must not block foreign-key checks of other decisions. PostgreSQL makes such a check when a
  // decision updates a card twice. That decision already has locks on cards, so waiting for the board could deadlock.
  const boardLock = scope.board === 'write' ? forNoKeyUpdate : scope.board === 'read' ? forShare : EMPTY
  const dispatcherLock = scope.dispatcher?.access === 'write' ? forUpdate : forShare
  const isBoardLocked = scope.board !== undefined
  const isLockedById = dialect.engine === 'postgres' && needsCommonOrder(scope)
  const [lockedBoard, account, dispatcher, series, , parents, tasks, runs, slots, reserved, last] =
    yield* together<LockedRows>([
      firstIf(isBoardLocked, sql`select ${BOARD.columns} from board where slug = ${board} ${boardLock}`),
      firstIf(
        scope.account != null,
        sql`select ${ACCOUNT.columns} from account where name = ${scope.account ?? null} ${forUpdate}`,
      ),
      firstIf(
        scope.dispatcher !== undefined,
        sql`select ${DISPATCHER.columns} from dispatcher where machine = ${scope.dispatcher?.machine ?? null} ${dispatcherLock}`,
      ),
      firstIf(
        scope.series !== undefined,
        sql`select ${SERIES.columns} from series where board = ${board} and id = ${scope.series ?? null} ${forUpdate}`,
      ),
      isLockedById ? lockCardsById(dialect, board, scope) : nothing(),
      lockTasks(board, scope.parents ?? [], isLockedById ? EMPTY : forShare),
      lockTasks(board, scope.tasks ?? [], isLockedById ? EMPTY : forUpdate),
      lockRuns(board, scope.tasks ?? [], forUpdate),
      slotRows(scope.slots ?? [], forUpdate),
      slotRows(scope.reserves ?? [], EMPTY),
      lastRead(board, { isBoardLocked, clock }),
    ])
  const boardRow = isBoardLocked ? lockedBoard : last
  const rows: ScopeRows = {
    board: boardRow === null ? null : BOARD.decode(boardRow),
    slots: [...slots, ...reserved],
    account: account === null ? null : ACCOUNT.decode(account),
    dispatcher: dispatcher === null ? null : DISPATCHER.decode(dispatcher),
    series: series === null ? null : SERIES.decode(series),
    parents,
    tasks,
    runs,
  }
  return [rows, clock === null || last === null ? null : Number(last.now)]
}

/**
 * Reads the board last and without a lock, unless the board is locked. So its settings include a change that was
 * committed while the decision waited for a card. The same statement reads the clock, because the clock must be read
 * after all locks are taken.
 */
const lastRead = (board: string, { isBoardLocked, clock }: { isBoardLocked: boolean; clock: Sql | null }) => {
  if (!isBoardLocked)
    return first(
      sql`select ${BOARD.columns}${clock === null ? EMPTY : sql`, ${clock} as now`} from board where slug = ${board}`,
    )
  return clock === null ? nothing() : first(sql`select ${clock} as now`)
}

/** Whether the decision locks several cards. A decision that moves children may lock any number of cards. */
const needsCommonOrder = ({ tasks = [], parents = [], movesChildren = false }: Scope): boolean =>
  movesChildren || (tasks.length > 0 && new Set([...tasks, ...parents]).size > 1)

/**
 * Locks the cards of a decision, and the children that it may change, in the order of their ids. A card may be a child
 * in one decision and a parent in another. Without a common order, the two decisions could deadlock.
 */
function* lockCardsById({ forUpdate }: Dialect, board: string, scope: Scope): Asking<null> {
  const { tasks = [], parents = [], movesChildren = false } = scope
  const ids = [...new Set([...tasks, ...parents])].sort()
  yield* askAll(
    [...chunks(ids)].map((some) =>
      movesChildren
        ? sql`
          select id from task where id = any (array(
            select id from task where id in ${valueList(some)}
            union all select child_id from link where board = ${board} and parent_id in ${valueList(some)}
          )) order by id ${forUpdate}`
        : sql`select id from task where id in ${valueList(some)} order by id ${forUpdate}`,
    ),
  )
  return null
}

// oxlint-disable-next-line require-yield -- must have the type `Asking`
function* nothing(): Asking<null> {
  return null
}

function* firstIf(isAsked: boolean, query: Sql): Asking<Row | null> {
  return isAsked ? yield* first(query) : null
}

function* lockTasks(board: string, ids: readonly TaskId[], lock: Sql): Asking<Map<TaskId, Task>> {
  const answers = yield* askAll(
    [...chunks([...new Set(ids)].sort())].map(
      (some) =>
        sql`select ${TASK.columns} from task where board = ${board} and id in ${valueList(some)} order by id ${lock}`,
    ),
  )
  return new Map(answers.flat().map((row) => [row.id as TaskId, TASK.decode(row)]))
}

/** Queries the runs of all cards. A query for the running cards before this one would cost one more round trip. */
function* lockRuns(board: string, ids: readonly TaskId[], lock: Sql): Asking<Map<TaskId, Run>> {
  const answers = yield* askAll([...chunks([...new Set(ids)].sort())].map((some) => openRunsOf(board, some, lock)))
  return new Map(answers.flat().map((row) => [row.task_id as TaskId, RUN.decode(row)]))
}

/** Compares slots by code units, as both engines do. So slots are created in the order in which they are locked. */
const bySlot = (a: SlotKey, b: SlotKey): number => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1)

/** The rows of some slots, sorted by key. While a slot is locked, the number of its open runs cannot change. */
function* slotRows(keys: readonly SlotKey[], lock: Sql): Asking<Slot[]> {
  if (keys.length === 0) return []
  const matches = join(
    [...keys].sort(bySlot).map(({ kind, name }) => sql`(kind = ${kind} and name = ${name})`),
    ' or ',
  )
  const rows = yield* all(sql`select ${SLOT.columns} from slot where ${matches} order by kind, name ${lock}`)
  return rows.map((row) => SLOT.decode(row))
}

/**
 * Creates the rows of slots that do not exist yet. This must happen before any other lock is taken, to keep the order
 * of locks.
 */
function* makeSlots(keys: readonly SlotKey[]): Tx<void> {
  for (const key of [...keys].sort(bySlot)) yield* run(sql`${insert(SLOT, freshSlot(key))} on conflict do nothing`)
}
