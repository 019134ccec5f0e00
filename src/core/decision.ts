/**
 * The types of every decision on the board. A decision reads rows, facts and the time, and returns changes with events,
 * or a refusal. It is synchronous and pure, so the store may repeat it after a conflict.
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
import type { AttachmentId, SeriesId, TaskId } from './ids.ts'
import type { InboxMark } from './inbox.ts'
import type { Link } from './link.ts'
import type { Place } from './limits/place.ts'
import type { Run, RunPatch } from './run.ts'
import type { SavedView } from './saved-view.ts'
import type { Series } from './series.ts'
import type { Slot, SlotKey } from './slot.ts'
import type { BlackboardEntry } from './swarm.ts'
import type { Task, TaskPatch } from './task.ts'
import type { Token } from './token.ts'
import type { Status } from './vocabulary.ts'

/** The rows that a verb needs. The store locks them in a fixed order before it reads the clock. */
export interface Scope {
  /** Cards that the verb may change. The store also reads the open run of each card. */
  readonly tasks?: readonly TaskId[]
  /**
   * Whether the verb may change how many unfinished parents the children of its cards have. If so, the store also locks
   * these children.
   */
  readonly movesChildren?: boolean
  /** Cards that the verb reads but does not change, such as the parents of a new link. */
  readonly parents?: readonly TaskId[]
  /** Whether the verb adds or removes links, or depends on linked cards. */
  readonly graph?: boolean
  readonly slots?: readonly SlotKey[]
  /**
   * Slots in which the verb wants to open a run. The store reads them without a lock, so claims do not wait for each
   * other. The change `reserve_capacity` checks them again.
   */
  readonly reserves?: readonly SlotKey[]
  readonly account?: string | null
  readonly series?: SeriesId
  readonly dispatcher?: { readonly machine: string; readonly access: 'read' | 'write' }
  /**
   * `write` if the verb changes the board's row, or stores values that it computes from the settings of the board.
   * Otherwise `read`.
   */
  readonly board?: 'read' | 'write'
}

/** The rows that the store read for a scope. The maps have no entry for a row that does not exist. */
export interface ScopeRows {
  readonly board: Board | null
  readonly tasks: ReadonlyMap<TaskId, Task>
  readonly parents: ReadonlyMap<TaskId, Task>
  /** The open runs, by the id of their card. */
  readonly runs: ReadonlyMap<TaskId, Run>
  /** The rows of the slots that the scope lists in `slots` and `reserves`. */
  readonly slots: readonly Slot[]
  readonly account: Account | null
  readonly series: Series | null
  readonly dispatcher: Dispatcher | null
}

/** The slots and the directory that a new run needs. The store checks them again while no other claim can commit. */
export interface Reservation {
  /**
   * The slots as the decision read them. `limit` is the maximum number of open runs; null means that there is no limit.
   */
  readonly slots: readonly { readonly slot: Slot; readonly limit: number | null }[]
  readonly task: TaskId
  /** The directory that no other running card may use. */
  readonly directory: string | null
}

export type Change =
  | { readonly op: 'insert_task'; readonly row: Task }
  | { readonly op: 'update_task'; readonly id: TaskId; readonly patch: TaskPatch }
  | { readonly op: 'purge_task'; readonly id: TaskId }
  /**
   * Moves all cards of a column, from its first card to the card `last`, forward by the same amount. Their order stays
   * the same.
   */
  | { readonly op: 'move_forward'; readonly status: Status; readonly last: Place; readonly by: number }
  /**
   * Reserves a slot for a new run. If the slot is taken by the end of the decision, the store decides again. A decision
   * with this change must also have an event.
   */
  | { readonly op: 'reserve_capacity'; readonly reservation: Reservation }
  | { readonly op: 'insert_run'; readonly row: Run }
  | { readonly op: 'update_run'; readonly taskId: TaskId; readonly patch: RunPatch }
  /** `counted` is true if the child is new and its `openParents` already includes the parent of this link. */
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
  | ({ readonly op: 'delete_inbox_mark' } & Pick<InboxMark, 'kind' | 'name'>)
  | { readonly op: 'put_token'; readonly row: Token }
  | { readonly op: 'delete_token'; readonly id: string }
  | { readonly op: 'delete_expired_tokens'; readonly before: number }
  | { readonly op: 'touch_token'; readonly id: string; readonly at: number }
  | { readonly op: 'put_saved_view'; readonly row: SavedView }
  | { readonly op: 'delete_saved_view'; readonly name: string }
  | { readonly op: 'put_series'; readonly row: Series }
  | { readonly op: 'delete_series'; readonly id: SeriesId }
  | { readonly op: 'put_blackboard_entry'; readonly row: BlackboardEntry }
  | ({ readonly op: 'delete_blackboard_entry' } & Pick<BlackboardEntry, 'root' | 'key'>)
  /** Records that a one-time notice was shown. */
  | { readonly op: 'record_notice'; readonly about: string }

export interface Accepted<R> {
  readonly ok: true
  readonly result: R
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
}

/** The refusal of a command. It may still write events, for example about a rejected claim or a late result. */
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
  /** The time by the store's clock. The store reads the clock after it has locked the rows. */
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
  /** The type of the caller's input, for the compiler only: the property does not exist at run time. */
  readonly _zod: { readonly input: Raw }
}

/** A verb of the board. `Raw` is the type of the caller's input, `Input` the type of the parsed input. */
export interface Verb<Raw = unknown, Input = unknown, Queries extends FactQueries = FactQueries, Result = unknown> {
  readonly name: string
  readonly input: InputCheck<Input, Raw>
  scope(input: Input, board: string, actor: Actor): Scope
  /** Returns the row of the new board. Only the verb that creates a board has this function. */
  boardIfMissing?(slug: string): Board
  /**
   * Returns the facts that the decision needs. The store also calls this function without rows, to find out which facts
   * it can read together with the rows.
   */
  facts?(known: Known<Input>): Queries
  decide(context: Context<Input, Queries>): Decision<Result>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table of verbs with different inputs has no common type
export type AnyVerb = Verb<any, any, any, any>

export const defineVerb = <Raw, Input, Queries extends FactQueries, Result>(
  verb: Verb<Raw, Input, Queries, Result>,
): Verb<Raw, Input, Queries, Result> => verb
