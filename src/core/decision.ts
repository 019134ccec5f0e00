/**
 * The shape of every rule on the board: rows, facts and `now` in; changes and events, or a refusal, out. A decision is
 * synchronous and pure, so the store may rerun it after a conflict, and may run it inside its transaction.
 */
import type { Account } from './account.ts'
import type { Actor } from './actor.ts'
import type { Attachment } from './attachment.ts'
import type { Board } from './board.ts'
import type { Comment } from './comment.ts'
import type { Dispatcher } from './limits/lease.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import type { EventDraft } from './event.ts'
import type { FactValues, FactQueries } from './facts.ts'
import type { AttachmentId, TaskId } from './ids.ts'
import type { InboxMark } from './inbox.ts'
import type { Link } from './link.ts'
import type { Run, RunPatch } from './run.ts'
import type { Slot, SlotKey } from './slot.ts'
import type { Task, TaskPatch } from './task.ts'
import type { Token } from './token.ts'

/** The rows that a verb depends on. The store locks them in a fixed order before it reads the clock. */
export interface Scope {
  /** Cards that the verb may change. The store also reads their open runs. */
  readonly tasks?: readonly TaskId[]
  /**
   * Whether the verb may change how many parents the children of its cards wait for. The store then locks the children
   * together with the cards, in one order.
   */
  readonly movesChildren?: boolean
  /** Cards that the verb reads but does not change: the parents of a new link. */
  readonly parents?: readonly TaskId[]
  /** Whether the verb adds or removes links, or depends on linked cards. */
  readonly graph?: boolean
  readonly slots?: readonly SlotKey[]
  /**
   * Slots in which the verb needs capacity. Only `reserve_capacity` locks these slots, so claims rarely wait for each
   * other.
   */
  readonly reserves?: readonly SlotKey[]
  readonly account?: string | null
  readonly dispatcher?: { readonly machine: string; readonly access: 'read' | 'write' }
  /** `write`: the verb changes the board, or stores values derived from its settings. */
  readonly board?: 'read' | 'write'
}

/** The rows of a scope. A row that does not exist is absent. */
export interface ScopeRows {
  readonly board: Board | null
  readonly tasks: ReadonlyMap<TaskId, Task>
  readonly parents: ReadonlyMap<TaskId, Task>
  /** The open run of each task of the scope that has one. */
  readonly runs: ReadonlyMap<TaskId, Run>
  /** The rows of the scope's `slots` and `reserves`. */
  readonly slots: readonly Slot[]
  readonly account: Account | null
  readonly dispatcher: Dispatcher | null
}

/** The slots and the directory that a new run needs. The store checks them again under the locks of the slots. */
export interface Reservation {
  /** The slots as the decision read them. `limit` is the maximum number of open runs; null means no limit. */
  readonly slots: readonly { readonly slot: Slot; readonly limit: number | null }[]
  readonly task: TaskId
  /** The directory that no other running card may use. */
  readonly directory: string | null
}

export type Change =
  | { readonly op: 'insert_task'; readonly row: Task }
  | { readonly op: 'update_task'; readonly id: TaskId; readonly patch: TaskPatch }
  | { readonly op: 'purge_task'; readonly id: TaskId }
  /** Must come before `insert_run`. If the capacity is used up by then, the store runs the decision again. */
  | { readonly op: 'reserve_capacity'; readonly reservation: Reservation }
  | { readonly op: 'insert_run'; readonly row: Run }
  | { readonly op: 'update_run'; readonly taskId: TaskId; readonly patch: RunPatch }
  /** `counted` is true if `openParents` of the new child already includes this parent. */
  | { readonly op: 'insert_link'; readonly row: Link; readonly counted: boolean }
  | { readonly op: 'delete_link'; readonly parentId: TaskId; readonly childId: TaskId }
  | { readonly op: 'waive_links'; readonly childId: TaskId; readonly parents: readonly TaskId[]; readonly by: string }
  | { readonly op: 'clear_waivers'; readonly childId: TaskId }
  | { readonly op: 'insert_comment'; readonly row: Comment }
  | { readonly op: 'insert_attachment'; readonly row: Attachment }
  | { readonly op: 'delete_attachment'; readonly taskId: TaskId; readonly id: AttachmentId }
  | { readonly op: 'put_slot'; readonly row: Slot }
  | { readonly op: 'put_account'; readonly row: Account }
  | { readonly op: 'put_board'; readonly row: Board }
  /** Deletes the board of the command with all its rows, except its events. */
  | { readonly op: 'delete_board' }
  | { readonly op: 'put_dispatcher'; readonly row: Dispatcher }
  | { readonly op: 'delete_dispatcher'; readonly machine: string }
  | { readonly op: 'put_dispatcher_memory'; readonly machine: string; readonly memory: string }
  | { readonly op: 'put_inbox_mark'; readonly row: InboxMark }
  | { readonly op: 'put_token'; readonly row: Token }
  | { readonly op: 'delete_token'; readonly id: string }
  | { readonly op: 'delete_expired_tokens'; readonly before: number }
  | { readonly op: 'touch_token'; readonly id: string; readonly at: number }
  /** Records that a one-time notice was shown. */
  | { readonly op: 'record_notice'; readonly about: string }

export interface Accepted<R> {
  readonly ok: true
  readonly result: R
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
}

/** A refusal is a result, not an exception. It may still write events, such as a rejected claim or a late result. */
export interface Refused {
  readonly ok: false
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
}

export type Decision<R> = Accepted<R> | Refused

interface Written {
  readonly changes?: readonly Change[]
  readonly events?: readonly EventDraft[]
}

export const accept = <R>(result: R, { changes = [], events = [] }: Written = {}): Accepted<R> => ({
  ok: true,
  result,
  changes,
  events,
})

export const refuse = (
  code: ErrorCode,
  message: string,
  details: ErrorDetails = {},
  { changes = [], events = [] }: Written = {},
): Refused => ({ ok: false, code, message, details, changes, events })

interface Known<Input> {
  readonly rows: ScopeRows
  readonly board: Board
  readonly input: Input
  readonly actor: Actor
  /** The store's clock, read after its locks. */
  readonly now: number
}

export interface Context<Input, Queries extends FactQueries> extends Known<Input> {
  readonly facts: FactValues<Queries>
}

export interface InputIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** Parses the input of a verb: a zod schema, or a parser written by hand. */
export interface InputCheck<Input, Raw> {
  safeParse(
    given: unknown,
  ):
    | { readonly success: true; readonly data: Input }
    | { readonly success: false; readonly error: { readonly issues: readonly InputIssue[] } }
  /** Carries the type of the caller's input. It exists only for the compiler. */
  readonly _zod: { readonly input: Raw }
}

/** A verb of the board. `Raw` is the caller's input, `Input` the parsed one. */
export interface Verb<Raw = unknown, Input = unknown, Queries extends FactQueries = FactQueries, Result = unknown> {
  readonly name: string
  readonly input: InputCheck<Input, Raw>
  scope(input: Input, board: string, actor: Actor): Scope
  /**
   * Returns the board row that the decision uses if the board does not exist yet. Only the verb that creates a board
   * has this function.
   */
  boardIfMissing?(slug: string): Board
  /**
   * The facts that the decision needs. The store also calls this function without rows, to find out which facts it can
   * read together with the rows.
   */
  facts?(known: Known<Input>): Queries
  decide(context: Context<Input, Queries>): Decision<Result>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- variance: a table of verbs forgets their inputs
export type AnyVerb = Verb<any, any, any, any>

export const defineVerb = <Raw, Input, Queries extends FactQueries, Result>(
  verb: Verb<Raw, Input, Queries, Result>,
): Verb<Raw, Input, Queries, Result> => verb
