/** A command as plain, serialisable data, and the pure functions that prepare and decide it. */
import type { Actor } from './actor.ts'
import { blankBoard } from './board.ts'
import type { Board } from './board.ts'
import { nextLook, rankOf } from './limits/deadlines.ts'
import type { AnyVerb, Decision, ScopeRows } from './decision.ts'
import { BoardError } from './errors.ts'
import type { FactQueries } from './facts.ts'
import { inputFault } from './input/input-fault.ts'
import { callerFacts, rejectIfRunEnded } from './reject-late-writes.ts'
import type { Run } from './run.ts'
import type { Task, TaskPatch } from './task.ts'
import type { VerbInput, VerbResult, VerbName } from './transitions/index.ts'

export interface Command<N extends VerbName = VerbName> {
  readonly verb: N
  readonly board: string
  readonly actor: Actor
  readonly input: VerbInput<N>
}

/** The outcome of a command. A refusal is a result and not an exception. */
export type DecisionOutcome<R> =
  { readonly ok: true; readonly result: R; readonly now: number } | { readonly ok: false; readonly error: BoardError }

export type OutcomeOf<N extends VerbName> = DecisionOutcome<VerbResult<N>>

/** Returns the result of an accepted command, or throws the refusal as an error. */
export function unwrap<R>(outcome: DecisionOutcome<R>): R {
  if (outcome.ok) return outcome.result
  throw outcome.error
}

export interface PreparedCommand {
  readonly verb: AnyVerb
  readonly input: unknown
}

/** Checks the input of a command. Returns an error that names the field if the input is not valid. */
export function prepareCommand(command: Command, verb: AnyVerb | undefined): PreparedCommand | BoardError {
  if (verb === undefined) return new BoardError('invalid_input', `Unknown verb ${String(command.verb)}.`)
  const parsed = verb.input.safeParse(command.input)
  if (parsed.success) return { verb, input: parsed.data }
  return inputFault(parsed.error, { verb: command.verb })
}

export interface DecideContext {
  readonly rows: ScopeRows
  readonly board: Board
  readonly actor: Actor
  readonly now: number
}

export const factsFor = ({ verb, input }: PreparedCommand, { rows, board, actor, now }: DecideContext): FactQueries => {
  const asked = verb.facts?.({ rows, board, actor, now, input }) as FactQueries | undefined
  return { ...asked, ...callerFacts(actor) }
}

const NO_ROWS: ScopeRows = {
  board: null,
  tasks: new Map(),
  parents: new Map(),
  runs: new Map(),
  slots: [],
  account: null,
  series: null,
  dispatcher: null,
}

/**
 * Asks the verb, before its rows are read, which facts it needs. So a store on a server can read these facts together
 * with its locks and save a round trip. If the verb later asks for other facts, the store reads those too.
 */
export const guessFacts = (
  prepared: PreparedCommand,
  { board, actor }: Pick<Command, 'board' | 'actor'>,
): FactQueries => factsFor(prepared, { rows: NO_ROWS, board: blankBoard(board, 0), actor, now: 0 })

export function decideWith(
  { verb, input }: PreparedCommand,
  { rows, board, actor, now }: DecideContext,
  facts: Readonly<Record<string, unknown>>,
): Decision<unknown> {
  const decision = verb.decide({ rows, board, actor, now, input, facts })
  return rejectIfRunEnded(decision, { actor, board: board.slug, verb: verb.name, input }, facts)
}

/** The columns that are computed from other columns. No verb writes them, so no verb can forget them. */
type Derived = Partial<Pick<Task, 'dueAt' | 'rank' | 'updatedAt'>>
export type DerivedPatch = TaskPatch & Derived

interface DeriveContext {
  readonly run: Run | null
  readonly board: Board
  readonly now: number
}

/**
 * Returns only the fields that the deadlines of the card depend on. Copying the whole card would take longer than
 * computing the deadlines.
 */
function timesAfter(before: Task, patch: TaskPatch): Parameters<typeof nextLook>[0] {
  const {
    status = before.status,
    deletedAt = before.deletedAt,
    cooldownUntil = before.cooldownUntil,
    guardUntil = before.guardUntil,
    scheduledAt = before.scheduledAt,
  } = patch
  return { status, deletedAt, cooldownUntil, guardUntil, scheduledAt }
}

/**
 * Computes the columns that no verb writes. They are returned separately, because merging them into the patch would
 * cost more, and the store writes both anyway.
 */
export function derivedColumns(before: Task, patch: TaskPatch, { run, board, now }: DeriveContext): Derived {
  const { priority = before.priority, rankShift = before.rankShift } = patch
  const derived: Derived = { dueAt: nextLook(timesAfter(before, patch), run, now) }
  if (priority !== before.priority || rankShift !== before.rankShift)
    derived.rank = rankOf({ createdAt: before.createdAt, priority, rankShift }, board)
  if (Object.keys(patch).length > 0) derived.updatedAt = now
  return derived
}

export const derivePatch = (before: Task, patch: TaskPatch, context: DeriveContext): DerivedPatch => ({
  ...patch,
  ...derivedColumns(before, patch, context),
})
