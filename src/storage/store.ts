/**
 * Everything durable, as one interface. Two engines stand behind it (SQLite, PostgreSQL) and pass the same contract
 * suite. It exposes operations, never a connection or a transaction: a decision and its events are written together,
 * or not at all.
 */
import type { Account } from '../core/account.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Board } from '../core/board.ts'
import type { Command, OutcomeOf } from '../core/command.ts'
import type { Comment } from '../core/comment.ts'
import type { Dispatcher } from '../core/dispatcher.ts'
import type { BoardEvent } from '../core/event.ts'
import type { RunId, TaskId } from '../core/ids.ts'
import type { Fence, Run } from '../core/run.ts'
import type { Slot } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import type { VerbName } from '../core/transitions/index.ts'
import type { Status } from '../core/vocabulary.ts'

/** A card as every surface shows it. */
export interface TaskView extends Task {
  readonly parents: readonly TaskId[]
  readonly children: readonly TaskId[]
}

export const SORTS = [
  'default',
  'created',
  'created-desc',
  'priority',
  'priority-desc',
  'status',
  'assignee',
  'title',
  'updated',
  'updated-desc',
] as const
export type Sort = (typeof SORTS)[number]

export interface TaskFilter {
  readonly status?: Status
  readonly assignee?: string
  readonly tenant?: string
  readonly session?: string
  readonly workflow?: string
  readonly step?: string
  readonly parent?: TaskId
  readonly text?: string
  /** Archived cards too; implied by `status: 'archived'`. */
  readonly archived?: boolean
  readonly sort?: Sort
  readonly limit?: number
  readonly after?: TaskId
}

/** A place in the feed. A cursor of another epoch, or below the floor, means: read the board anew. */
export interface FeedPage {
  readonly events: readonly BoardEvent[]
  readonly cursor: string
  readonly resync: boolean
}

/** A line of ready cards that share a board and a runner. */
export interface Lane {
  readonly board: string
  readonly agent: string | null
  readonly phase: 'work' | 'review'
}

export interface Finding {
  readonly rule: string
  readonly board: string | null
  readonly id: string | null
  readonly message: string
  readonly fixed: boolean
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  readonly engineVersion: string

  /** Carries out one command in one transaction. Refusals are results; only a broken store throws. */
  decide<N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>>

  /** Extends the lease of an open run; null when the fence is stale: the supervisor then stops its agent. */
  renewLease(board: string, fence: Fence): Promise<{ leaseUntil: number; intent: Run['intent'] } | null>

  boards(): Promise<readonly Board[]>
  board(slug: string): Promise<Board | null>
  /** A card that is not in the trash, unless `deleted` asks for those too. */
  task(board: string, id: TaskId, options?: { deleted?: boolean }): Promise<TaskView | null>
  tasks(board: string, filter?: TaskFilter): Promise<readonly TaskView[]>
  /** Cards whose id starts with `prefix`, on any board, at most a few: enough to tell one from many. */
  tasksByPrefix(prefix: string): Promise<readonly Pick<Task, 'id' | 'board' | 'title'>[]>
  runs(board: string, task: TaskId): Promise<readonly Run[]>
  run(id: RunId): Promise<Run | null>
  comments(board: string, task: TaskId): Promise<readonly Comment[]>
  attachments(board: string, task: TaskId): Promise<readonly Attachment[]>
  taskEvents(board: string, task: TaskId, limit?: number): Promise<readonly BoardEvent[]>
  openParents(board: string, task: TaskId): Promise<readonly TaskId[]>
  counts(board: string): Promise<Readonly<Record<Status, number>>>
  account(name: string): Promise<Account | null>
  slots(): Promise<readonly Slot[]>
  /** The dispatchers of all machines that have one, active or lapsed. */
  dispatchers(): Promise<readonly Dispatcher[]>
  dispatcher(machine: string): Promise<Dispatcher | null>

  /** Events after a cursor, oldest first; without a cursor, only where the feed stands now. */
  feed(cursor: string | null, limit?: number): Promise<FeedPage>

  /** What a dispatcher asks. None of these reads more rows than it returns. */
  due(now: number, limit: number): Promise<readonly Pick<Task, 'board' | 'id' | 'status' | 'dueAt' | 'currentRunId'>[]>
  /** The earliest moment at which something will be due; null when nothing will. */
  nextDue(): Promise<number | null>
  lanes(): Promise<readonly Lane[]>
  laneHead(lane: Lane, limit: number): Promise<readonly Task[]>
  openRuns(machine: string | null): Promise<readonly Run[]>

  /** The store's clock: leases and deadlines are measured by it, so that machines need not agree. */
  now(): Promise<number>
  /** Calls back after commits of any process, soon and at least once; it may also call without cause. */
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>

  /** Recounts what is derived and checks every data invariant; writes only with `fix`. */
  doctor(options?: { fix?: boolean }): Promise<readonly Finding[]>
  /** Checks the storage once after every boot of the machine; returns what it found wrong. */
  checkAfterBoot(bootId: string): Promise<readonly string[]>
  /** Everything in the store, in a fixed order: equal stores give equal values. */
  exportAll(): Promise<Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>>
  close(): Promise<void>
}
