/** Lock the scope → rows, clock and facts → core → state and events: one transaction, or nothing. */
import { decideWith, factsFor, guessFacts, prepare } from '../core/command.ts'
import type { Command, DecideContext, Outcome, PreparedCommand } from '../core/command.ts'
import { actorName } from '../core/actor.ts'
import type { Change, Decision, Rows, Scope } from '../core/decision.ts'
import { BoardError } from '../core/errors.ts'
import type { FactQueries, FactQuery } from '../core/facts.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { freshSlot } from '../core/slot.ts'
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
import { Conflict, all, askAll, first, run, together } from './tx.ts'
import type { Asking, Row, Tx } from './tx.ts'

export interface Decided {
  readonly outcome: Outcome<unknown>
  /** Whether anything was written that a watcher might care about. */
  readonly rings: boolean
}

/** Carries out a command, or returns the fault in its input without touching the store. */
export async function decideIn(dialect: Dialect, command: Command): Promise<(() => Tx<Decided>) | BoardError> {
  const prepared = prepare(command, await loadVerb(command.verb))
  if (prepared instanceof BoardError) return prepared
  const attempt: Attempt = { slotsMissing: false }
  return () => decideTx(dialect, { command, prepared, attempt })
}

/** What an attempt at a decision leaves for the next one. */
interface Attempt {
  slotsMissing: boolean
}

interface Work {
  readonly command: Command
  readonly prepared: PreparedCommand
  readonly attempt: Attempt
}

/** On PostgreSQL: one round trip for locks, clock and guessed facts, one for any missing facts, one for all writes. */
function* decideTx(dialect: Dialect, { command, prepared, attempt }: Work): Tx<Decided> {
  const scope: Scope = prepared.verb.scope(prepared.input, command.board, command.actor)
  if (attempt.slotsMissing) yield* makeSlots(slotsOf(scope))
  if (scope.graph) yield* dialect.lockGraph(command.board)
  // Locks on cards, boards and dispatchers protect the facts. If slots are locked too, facts need a later snapshot.
  const factsAt = scope.slots === undefined ? AFTER_LOCKS : FACTS
  const guess = dialect.engine === 'postgres' ? guessFacts(prepared, command) : {}
  const [rows, now, [guessed, parents]] = yield* together<[Rows, number, [Answered, ReadonlySet<TaskId> | null]]>([
    lockScope(dialect, command.board, scope),
    dialect.inSnapshot(AFTER_LOCKS, dialect.now()),
    dialect.inSnapshot(
      factsAt,
      together<[Answered, ReadonlySet<TaskId> | null]>([
        answerAll(Object.values(guess), command.board),
        scope.finishes === true ? parentsAmong(command.board, scope.tasks ?? []) : unknownParents(),
      ]),
    ),
  ])
  const board = rows.board ?? prepared.verb.unborn?.(command.board)
  if (board === undefined) return refusedFor(noBoard(command.board))
  if (rows.slots.length < slotsOf(scope).length) {
    attempt.slotsMissing = true
    throw new Conflict('a slot has no row yet')
  }
  const moment: DecideContext = { rows, board, actor: command.actor, now }
  const facts = yield* dialect.inSnapshot(FACTS, answerRest(factsFor(prepared, moment), command.board, guessed))
  const decision = decideWith(prepared, moment, facts)
  const followed = yield* applyChanges(dialect, { ...moment, parents }, decision.changes)
  const events = [...decision.events, ...followed]
  if (events.length > 0) {
    const actor = actorName(command.actor)
    yield* dialect.appendEvents(events.map((draft) => ({ board: command.board, actor, createdAt: now, draft })))
  }
  return { outcome: outcomeOf(decision, now), rings: events.length > 0 || decision.changes.some(movesCard) }
}

const slotsOf = ({ slots = [], places = [] }: Scope): readonly SlotKey[] => [...slots, ...places]

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

/** Answers by their questions as JSON. */
type Answered = ReadonlyMap<string, unknown>

/** A verb may ask for one fact under two names; it is sent once. */
function* answerAll(queries: readonly FactQuery[], board: string): Asking<Answered> {
  const asked = new Map(queries.map((query) => [JSON.stringify(query), query]))
  const answers = yield* together([...asked.values()].map((query) => answer(query, board)))
  return new Map([...asked.keys()].map((key, at) => [key, answers[at]]))
}

/** The answers by the names that the verb gave its questions. Guessed questions are not asked again. */
function* answerRest(queries: FactQueries, board: string, guessed: Answered): Asking<Record<string, unknown>> {
  const keyed = Object.entries(queries).map(([name, query]) => ({ name, query, key: JSON.stringify(query) }))
  const rest = keyed.filter(({ key }) => !guessed.has(key)).map(({ query }) => query)
  const answered = yield* answerAll(rest, board)
  return Object.fromEntries(
    keyed.map(({ name, key }) => [name, guessed.has(key) ? guessed.get(key) : answered.get(key)]),
  )
}

/** The cards that have children. Asked while they are locked, so that no child is added meanwhile. */
function* parentsAmong(board: string, ids: readonly TaskId[]): Asking<ReadonlySet<TaskId>> {
  const answers = yield* askAll(
    [...chunks(ids)].map(
      (some) => sql`select distinct parent_id from link where board = ${board} and parent_id in ${list(some)}`,
    ),
  )
  return new Set(answers.flat().map((row) => row.parent_id as TaskId))
}

// oxlint-disable-next-line require-yield -- has the type of an asker
function* unknownParents(): Asking<null> {
  return null
}

/** Rows that are locked by their key. A statement that waits for such a lock reads the newest state of the row. */
const LOCKS = 'locks'
/** Rows that are read after the cards are locked, from a later snapshot: it shows a run that began in the meantime. */
const AFTER_LOCKS = 'after the locks'
const FACTS = 'facts'

type Locked = [Row | null, Row | null, Row | null, Map<TaskId, Task>, Map<TaskId, Task>]
type ReadAfterLocks = [Map<TaskId, Run>, Slot[], Slot[]]

/**
 * The fixed lock order: graph, board, account, dispatcher, parents, tasks, runs, slots; the feed comes last, at commit.
 * Each asker sends one batch, so all of them together are one, in this order.
 */
function* lockScope(dialect: Dialect, board: string, scope: Scope): Asking<Rows> {
  const [[boardRow, account, dispatcher, parents, tasks], [runs, slots, places]] = yield* together<
    [Locked, ReadAfterLocks]
  >([
    dialect.inSnapshot(LOCKS, lockByKey(dialect, board, scope)),
    dialect.inSnapshot(AFTER_LOCKS, readAfterLocks(dialect, board, scope)),
  ])
  return {
    board: boardRow === null ? null : BOARD.decode(boardRow),
    slots: [...slots, ...places],
    account: account === null ? null : ACCOUNT.decode(account),
    dispatcher: dispatcher === null ? null : DISPATCHER.decode(dispatcher),
    parents,
    tasks,
    runs,
  }
}

function lockByKey({ forUpdate, forShare }: Dialect, board: string, scope: Scope): Asking<Locked> {
  const boardLock = scope.board === 'write' ? forUpdate : scope.board === 'read' ? forShare : EMPTY
  const dispatcherLock = scope.dispatcher?.access === 'write' ? forUpdate : forShare
  return together<Locked>([
    first(sql`select ${BOARD.columns} from board where slug = ${board} ${boardLock}`),
    firstIf(
      scope.account != null,
      sql`select ${ACCOUNT.columns} from account where name = ${scope.account ?? null} ${forUpdate}`,
    ),
    firstIf(
      scope.dispatcher !== undefined,
      sql`select ${DISPATCHER.columns} from dispatcher where machine = ${scope.dispatcher?.machine ?? null} ${dispatcherLock}`,
    ),
    lockTasks(board, scope.parents ?? [], forShare),
    lockTasks(board, scope.tasks ?? [], forUpdate),
  ])
}

const readAfterLocks = ({ forUpdate }: Dialect, board: string, scope: Scope): Asking<ReadAfterLocks> =>
  together<ReadAfterLocks>([
    lockRuns(board, scope.tasks ?? [], forUpdate),
    slotRows(scope.slots ?? [], forUpdate),
    slotRows(scope.places ?? [], EMPTY),
  ])

function* firstIf(isAsked: boolean, query: Sql): Asking<Row | null> {
  return isAsked ? yield* first(query) : null
}

function* lockTasks(board: string, ids: readonly TaskId[], lock: Sql): Asking<Map<TaskId, Task>> {
  const answers = yield* askAll(
    [...chunks([...new Set(ids)].sort())].map(
      (some) =>
        sql`select ${TASK.columns} from task where board = ${board} and id in ${list(some)} order by id ${lock}`,
    ),
  )
  return new Map(answers.flat().map((row) => [row.id as TaskId, TASK.decode(row)]))
}

/** Asked for every card, running or not: asking for running cards only would cost a round trip more. */
function* lockRuns(board: string, ids: readonly TaskId[], lock: Sql): Asking<Map<TaskId, Run>> {
  const answers = yield* askAll([...chunks([...new Set(ids)].sort())].map((some) => openRunsOf(board, some, lock)))
  return new Map(answers.flat().map((row) => [row.task_id as TaskId, RUN.decode(row)]))
}

/** By code units, as the engines sort: slots are always created in the order in which they are locked. */
const bySlot = (a: SlotKey, b: SlotKey): number => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1)

/** The rows that caps are counted behind. */
function* slotRows(keys: readonly SlotKey[], lock: Sql): Asking<Slot[]> {
  if (keys.length === 0) return []
  const matches = join(
    [...keys].sort(bySlot).map(({ kind, name }) => sql`(kind = ${kind} and name = ${name})`),
    ' or ',
  )
  const rows = yield* all(sql`select ${SLOT.columns} from slot where ${matches} order by kind, name ${lock}`)
  return rows.map((row) => SLOT.decode(row))
}

/** A slot gets its row when it is first needed: before any other lock, to keep the lock order. */
function* makeSlots(keys: readonly SlotKey[]): Tx<void> {
  for (const key of [...keys].sort(bySlot)) yield* run(sql`${insert(SLOT, freshSlot(key))} on conflict do nothing`)
}
