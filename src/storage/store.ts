/**
 * Everything durable, as one interface. Two engines stand behind it (SQLite, PostgreSQL) and pass the same contract
 * suite. It exposes operations, never a connection or a transaction: a decision and its events are written together,
 * or not at all.
 */
import type { Account } from '../core/account.ts'
import type { Admission } from '../core/gates/admission.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Board } from '../core/board.ts'
import type { RecentWork } from '../core/briefing/briefing-input.ts'
import type { DETAIL_FIELDS, FilterField, FilterValue } from '../core/card-fields.ts'
import type { Command, OutcomeOf } from '../core/command.ts'
import type { Comment } from '../core/comment.ts'
import type { Dispatcher } from '../core/limits/lease.ts'
import type { BoardEvent } from '../core/event.ts'
import type { CommentId, RunId, TaskId } from '../core/ids.ts'
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

/** A card in a list: without the fields that can be long. */
export type ListedTask = Omit<TaskView, (typeof DETAIL_FIELDS)[number]>

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

export interface TaskFilter extends Readonly<Partial<{ [K in FilterField]: FilterValue<K> }>> {
  readonly status?: Status
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
  /** Whether the page is full, so that more may follow it at once. */
  readonly more: boolean
}

/** A parent as its children see it: the card, what its newest completed run said, and where its files are kept. */
export interface HandOff {
  readonly task: Task
  readonly summary: string | null
  /** Below the board's attachments folder. */
  readonly storedPaths: readonly string[]
}

/** What a claim of a card is judged by, beyond the card and its board. */
/** A file of a card, as recorded in its row. */
export type RecordedFile = Pick<Attachment, 'board' | 'taskId' | 'filename' | 'storedPath' | 'size' | 'sha256'>

export interface Standing extends Pick<Admission, 'openRuns' | 'directoryUser' | 'branchHolders'> {
  /** Parents that gate it. */
  readonly openParents: readonly Task[]
  /** Whether the folder of a parent is being removed. */
  readonly parentSweeping: boolean
  readonly account: Account | null
  /** Those of its places that have a row: machine, board, agent and account. */
  readonly slots: readonly Slot[]
  readonly run: Run | null
}

export interface CommentPage {
  readonly comments: readonly Comment[]
  /** The number of older comments on the card. */
  readonly earlier: number
}

export interface AnswerPage {
  /** Oldest first. */
  readonly answers: readonly Comment[]
  /** The number of older answers since the card was last done. */
  readonly earlier: number
}

export interface Group {
  readonly status: Status
  readonly assignee: string | null
  readonly count: number
}

/** How reviews of a board went, as far as its events go back. */
export interface ReviewFigures {
  readonly approved: number
  readonly changesRequested: number
  /** How long the latest of them took, in no order. */
  readonly waitedMs: readonly number[]
  /** Since when the card is in review that has been there for longest. */
  readonly oldestAt: number | null
}

/** A card whose deadline has come. */
export type DueCard = Pick<Task, 'board' | 'id' | 'status' | 'dueAt' | 'currentRunId'>

/** A line of ready cards that share a board and a runner. */
export interface Lane {
  readonly board: string
  readonly agent: string | null
  readonly phase: 'work' | 'review'
}

/** Where a card stands in its lane; the next page of the lane is what comes behind it. */
export type LanePlace = Pick<Task, 'rank' | 'id'>

/** A crash, as far as it tells one kind of crash from another. */
export type Crash = Pick<Run, 'board' | 'id' | 'taskId' | 'exitCode' | 'signal' | 'startedAt'> & {
  readonly agent: string
  readonly endedAt: number
}

export interface Finding {
  readonly rule: string
  readonly board: string | null
  readonly id: string | null
  readonly message: string
  readonly fixed: boolean
}

/** One step through the event log, oldest first. */
export interface EventSweep {
  /** Only events written before this moment. */
  readonly before: number
  /** Only those of one board; null: of all. */
  readonly board: string | null
  /** The place that the step before came to; 0 to begin. */
  readonly after: number
  /** Whether they go, or are only counted. */
  readonly remove: boolean
}

export interface SweptEvents {
  readonly events: number
  /** Where the next step begins; null when nothing older is left. */
  readonly next: number | null
}

export interface BackupContents {
  readonly boards: number
  /** Without those in the trash. */
  readonly cards: number
  /** Runs of agents that were open when it was made: a restore closes them as interrupted. */
  readonly openRuns: number
  /** What is wrong with its data, as `doctor` says it. A backup that is damaged itself is an error. */
  readonly findings: readonly Finding[]
}

export type DeletedCard = Pick<Task, 'id' | 'title' | 'workspace'> & { readonly deletedAt: number }

export type ExportedRow = Readonly<Record<string, unknown>>

/** What a supervisor learns when it renews its lease. */
export interface HeldLease extends Pick<Run, 'intent' | 'lastActivityAt'> {
  readonly leaseUntil: number
  /** As the board sets them now. */
  readonly leaseMs: number
  readonly staleMs: number
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  readonly engineVersion: string

  /** Carries out one command in one transaction. Refusals are results; only a broken store throws. */
  decide<N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>>

  /**
   * Extends the lease of an open run, and notes progress of its agent when there was some; null when the fence is
   * stale: the supervisor then stops its agent.
   */
  renewLease(board: string, fence: Fence, progress?: { readonly active: boolean }): Promise<HeldLease | null>

  boards(): Promise<readonly Board[]>
  board(slug: string): Promise<Board | null>
  /** A card that is not in the trash, unless `deleted` asks for those too. */
  task(board: string, id: TaskId, options?: { deleted?: boolean }): Promise<TaskView | null>
  tasks(board: string, filter?: TaskFilter): Promise<readonly ListedTask[]>
  /**
   * Cards whose id starts with `prefix`, on any board or on one, at most a few: enough to tell one from many. Those in
   * the trash only when `deleted` asks for them too.
   */
  tasksByPrefix(
    prefix: string,
    options?: { deleted?: boolean; board?: string },
  ): Promise<readonly Pick<Task, 'id' | 'board' | 'title'>[]>
  runs(board: string, task: TaskId): Promise<readonly Run[]>
  run(id: RunId): Promise<Run | null>
  /** Comments of a card, oldest first: the newest page, or the page before a comment. Null if the card does not have that comment. */
  comments(
    board: string,
    task: TaskId,
    page?: { readonly limit?: number; readonly before?: CommentId },
  ): Promise<CommentPage | null>
  comment(id: CommentId): Promise<Comment | null>
  /** The newest comments that were given with `unblock`, `reopen` or `promote`. */
  answers(board: string, task: TaskId): Promise<AnswerPage>
  attachments(board: string, task: TaskId): Promise<readonly Attachment[]>
  taskEvents(board: string, task: TaskId, limit?: number): Promise<readonly BoardEvent[]>
  openParents(board: string, task: TaskId): Promise<readonly TaskId[]>
  /** Cards by id, on any board and in the trash too; those that are not there are left out. By id. */
  tasksById(ids: readonly TaskId[]): Promise<readonly Task[]>
  /** What the parents of a card left, by id, without those in the trash. */
  handOffs(board: string, child: TaskId): Promise<readonly HandOff[]>
  /** What an agent completed on other cards, newest first. */
  recentWork(
    board: string,
    agent: string,
    options: { readonly except: TaskId; readonly limit: number },
  ): Promise<readonly RecentWork[]>
  /** How a claim of this card by such a run would find things, in one snapshot. */
  standing(
    task: Pick<Task, 'board' | 'id' | 'workspace' | 'branch'>,
    place: Pick<Run, 'machine' | 'agent' | 'account'>,
  ): Promise<Standing>
  /** How many cards a board has, by status and assignee. Costs the same however many they are. */
  groups(board: string): Promise<readonly Group[]>
  /** When the oldest ready card of a board was created. */
  readySince(board: string): Promise<number | null>
  reviews(board: string): Promise<ReviewFigures>
  counts(board: string): Promise<Readonly<Record<Status, number>>>
  account(name: string): Promise<Account | null>
  /** By name. There are as many as there are subscriptions: a handful. */
  accounts(): Promise<readonly Account[]>
  slots(): Promise<readonly Slot[]>
  /** The dispatchers of all machines that have one, active or lapsed. */
  dispatchers(): Promise<readonly Dispatcher[]>
  dispatcher(machine: string): Promise<Dispatcher | null>
  /** What the last dispatcher of a machine had observed when it ended; null: nothing is stored. */
  dispatcherMemory(machine: string): Promise<string | null>

  /** Events after a cursor, oldest first; without a cursor, only where the feed stands now. */
  feed(cursor: string | null, limit?: number): Promise<FeedPage>
  /** The same for one card alone; without a cursor, from its first event that is still there. */
  cardFeed(
    card: { readonly board: string; readonly task: TaskId },
    cursor: string | null,
    limit?: number,
  ): Promise<FeedPage>

  /** What a dispatcher asks. None of these reads more rows than it returns. */
  due(now: number, limit: number): Promise<readonly DueCard[]>
  /** The earliest moment at which something will be due; null when nothing will. */
  nextDue(): Promise<number | null>
  lanes(): Promise<readonly Lane[]>
  laneHead(lane: Lane, limit: number, after?: LanePlace | null): Promise<readonly Task[]>
  /** How many cards stand in a lane; whoever asks says how far to count. */
  laneSize(lane: Lane, most: number): Promise<number>
  /** Those of these cards that an agent itself was at work on: somebody else is to review them. */
  workedOn(board: string, agent: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** Who last wrote the body of a card, or approved it as a script; null: whoever made the card. */
  bodyWriter(board: string, id: TaskId): Promise<string | null>
  /** Cards that are out of their lane until a moment between two, soonest first; running ones are among them. */
  waiting(from: number, until: number, limit: number): Promise<readonly Task[]>
  /** The latest crashes of agents at work, newest first. */
  recentCrashes(since: number, limit: number): Promise<readonly Crash[]>
  openRuns(machine: string | null): Promise<readonly Run[]>

  /** The store's clock: leases and deadlines are measured by it, so that machines need not agree. */
  now(): Promise<number>
  /** Wakes every watcher, as a commit would; resolved when it was sent. */
  nudge(): Promise<void>
  /** Calls back after commits of any process, soon and at least once; it may also call without cause. */
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>

  /** Recounts what is derived and checks every data invariant; writes only with `fix`. */
  doctor(options?: { fix?: boolean }): Promise<readonly Finding[]>
  /** Checks the storage once after every boot of the machine; returns what it found wrong. */
  checkAfterBoot(bootId: string): Promise<readonly string[]>
  /** Everything in the store, in a fixed order: equal stores give equal values. */
  exportAll(): Promise<Readonly<Record<string, readonly ExportedRow[]>>>
  /** The same, handed over page by page as it is read, so that a store of any size can be written elsewhere. */
  exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void>

  /**
   * Forgets old events of finished or purged cards, a bounded number per call and transaction; the floor of the feed
   * rises with them.
   */
  sweepEvents(step: EventSweep): Promise<SweptEvents>
  /** The cards of a board that were deleted before a moment. */
  deletedBefore(board: string, before: number): Promise<readonly DeletedCard[]>
  /** A child that is not finished and may still need what this card left. */
  unfinishedChild(board: string, parent: TaskId): Promise<TaskId | null>
  /**
   * Of some cards, those whose folder of the board's own nobody needs any more. What was finished after `before` is left:
   * somebody may be looking at it.
   */
  sweepable(board: string, ids: readonly TaskId[], before: number): Promise<readonly TaskId[]>
  /** Of some cards, those that are finished and whose folder only waits for a child. */
  sweepDeferred(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** Cards whose folder has been on its way out since before a moment. Reads the whole board once. */
  sweeping(board: string, before: number): Promise<readonly TaskId[]>
  /**
   * Directories and repositories that cards name as their place, on any board, without those of archived and deleted
   * cards. One seek for each place, however many cards name it.
   */
  namedPlaces(): Promise<readonly string[]>
  /** When some runs ended, null for an open one; runs that are not in this store are left out. */
  runEnds(ids: readonly RunId[]): Promise<ReadonlyMap<RunId, Pick<Run, 'board' | 'endedAt'>>>
  /** Of some ids, those of cards that this board has, or had as far as its events go back. */
  everKnown(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** Where the files of some cards are kept, below the board's attachments folder. */
  storedPaths(board: string, ids: readonly TaskId[]): Promise<readonly string[]>
  /** The files of all cards in the order they were recorded, page by page; `next` is null after the last. */
  recordedFiles(
    after: number,
    most: number,
  ): Promise<{ readonly files: readonly RecordedFile[]; readonly next: number | null }>
  /** With `exiting` the process ends next: what its end gives back anyway is not waited for. */
  close(options?: { exiting?: boolean }): Promise<void>
}
