/**
 * The interface to everything durable. SQLite and PostgreSQL implement it and pass the same contract suite. It exposes
 * operations, never a connection or a transaction: a decision and its events are written together, or not at all.
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
import type { CardInboxKind } from '../core/inbox.ts'
import type { CommentId, RunId, TaskId } from '../core/ids.ts'
import type { Fence, Run } from '../core/run.ts'
import type { Slot } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import type { Token } from '../core/token.ts'
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
  /** Cards in any of these statuses. */
  readonly statuses?: readonly Status[]
  /** Cards of any of these agents. Null stands for unassigned cards. */
  readonly assignees?: readonly (string | null)[]
  readonly parent?: TaskId
  readonly text?: string
  /** Includes archived cards. `status: 'archived'` implies it. */
  readonly archived?: boolean
  /** Leaves out cards that were already done at this time. */
  readonly unfinishedAt?: number
  readonly sort?: Sort
  readonly limit?: number
  readonly after?: TaskId
}

/**
 * A page of the feed. `resync` is set if the cursor belongs to another epoch or is below the floor. The reader must
 * then read the board again.
 */
export interface FeedPage {
  readonly events: readonly BoardEvent[]
  readonly cursor: string
  readonly resync: boolean
  /** Whether the page is full, so that more events may follow. */
  readonly more: boolean
}

/** A parent as its children see it: the card, the summary of its newest finished work, and its stored files. */
export interface ParentHandOff {
  readonly task: Task
  readonly summary: string | null
  /** Relative to the board's attachments folder. */
  readonly storedPaths: readonly string[]
}

/** A file of a card, as recorded in its row. */
export type RecordedFile = Pick<Attachment, 'board' | 'taskId' | 'filename' | 'storedPath' | 'size' | 'sha256'>

/** The facts that decide whether a card may be claimed, beyond the card and its board. */
export interface AdmissionFacts extends Pick<Admission, 'openRuns' | 'directoryUser' | 'branchHolders'> {
  /** Parents that gate the card. */
  readonly openParents: readonly Task[]
  /** Whether the folder of a parent is being removed. */
  readonly parentSweeping: boolean
  readonly account: Account | null
  /** The slots of the card's machine, board, agent and account, without slots that have no row. */
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

export interface CardCount {
  readonly status: Status
  readonly assignee: string | null
  readonly count: number
}

/** Figures about the reviews of a board, from its stored events. */
export interface ReviewFigures {
  readonly approved: number
  readonly changesRequested: number
  /** How long the latest reviews took, in no particular order. */
  readonly waitedMs: readonly number[]
  /** The earliest time at which a card that is now in review entered review. Null if no card is in review. */
  readonly oldestAt: number | null
}

/** The tokens and the cost of the runs of one agent on one day. */
export interface AgentUsage {
  readonly agent: string
  /** An index into the `days` of the query. */
  readonly day: number
  readonly runs: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

/** A card without the fields that can be long, and without links. */
export type ShortTask = Omit<ListedTask, 'parents' | 'children'>

/** An unfinished parent of a card. */
export interface GatingParent extends Pick<Task, 'id' | 'title' | 'status'> {
  readonly child: TaskId
}

export interface InboxQuery {
  /** The boards to read, each with the agent that reviews its cards. */
  readonly boards: readonly { readonly slug: string; readonly reviewer: string | null }[]
  /** The lanes whose agent cannot run. */
  readonly lanes: readonly Lane[]
  readonly most: number
  /** The last card of the page before. */
  readonly after?: (LanePlace & { readonly kind: CardInboxKind }) | null
  readonly only?: TaskId | null
  /** Includes items that a person hid. */
  readonly hidden?: boolean
}

export interface InboxCard {
  readonly kind: CardInboxKind
  readonly task: ShortTask
}

export interface InboxPage {
  readonly now: number
  /** The accounts that are paused until a person resumes them; empty after the first page. */
  readonly accounts: readonly Account[]
  /** By kind, then by rank. */
  readonly cards: readonly InboxCard[]
}

/** The first cards of every status except archived. */
export interface BoardColumns {
  readonly now: number
  readonly columns: readonly { readonly status: Status; readonly count: number; readonly cards: readonly ShortTask[] }[]
  /** The open runs of the board. */
  readonly runs: readonly Run[]
  readonly counts: Readonly<Record<Status, number>>
}

/** Cards that a list leaves out. */
export interface HiddenCount {
  readonly count: number
  /** Whether there are older cards, which were not compared. */
  readonly isCut: boolean
}

export interface Finished {
  readonly count: number
  /** Newest first. */
  readonly cards: readonly ShortTask[]
}

/** A card whose deadline has passed. */
export type DueCard = Pick<Task, 'board' | 'id' | 'status' | 'dueAt' | 'currentRunId'>

/** The queue of ready cards, or of cards in review, that share a board and a runner. */
export interface Lane {
  readonly board: string
  readonly agent: string | null
  readonly phase: 'work' | 'review'
}

/** The position of a card in its lane, after which the next page starts. */
export type LanePlace = Pick<Task, 'rank' | 'id'>

/** The fields of a crashed run that distinguish one kind of crash from another. */
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
  /** Only events written before this time. */
  readonly before: number
  /** Only events of this board, or null for all boards. */
  readonly board: string | null
  /** The `next` of the previous step, or 0 for the first step. */
  readonly after: number
  /** Whether the events are deleted, or only counted. */
  readonly remove: boolean
}

export interface SweptEvents {
  readonly events: number
  /** The start of the next step; null when no older events are left. */
  readonly next: number | null
}

export interface BackupContents {
  readonly boards: number
  /** Does not include cards in the trash. */
  readonly cards: number
  /** Agent runs that were open when the backup was made. A restore closes them as interrupted. */
  readonly openRuns: number
  /** The findings of `doctor` on the data of the backup. A damaged file is an error instead. */
  readonly findings: readonly Finding[]
}

export type DeletedCard = Pick<Task, 'id' | 'title' | 'workspace'> & { readonly deletedAt: number }

export type ExportedRow = Readonly<Record<string, unknown>>

/** The answer to a supervisor that renews its lease. */
export interface HeldLease extends Pick<Run, 'intent' | 'lastActivityAt'> {
  readonly leaseUntil: number
  /** The current settings of the board. */
  readonly leaseMs: number
  readonly staleMs: number
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  readonly engineVersion: string

  /** Carries out one command in one transaction. Refusals are results; only a broken store throws. */
  decide<N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>>

  /**
   * Extends the lease of an open run. With `active` it also records progress of the agent. Null if the fence is stale:
   * the supervisor then stops its agent.
   */
  renewLease(board: string, fence: Fence, progress?: { readonly active: boolean }): Promise<HeldLease | null>

  boards(): Promise<readonly Board[]>
  board(slug: string): Promise<Board | null>
  /** A card. Cards in the trash are found only with `deleted`. */
  task(board: string, id: TaskId, options?: { deleted?: boolean }): Promise<TaskView | null>
  tasks(board: string, filter?: TaskFilter): Promise<readonly ListedTask[]>
  /**
   * The first few cards whose id starts with `prefix`, on one board or on all boards. They are enough to see whether
   * the prefix is unique. Cards in the trash are found only with `deleted`.
   */
  tasksByPrefix(
    prefix: string,
    options?: { deleted?: boolean; board?: string },
  ): Promise<readonly Pick<Task, 'id' | 'board' | 'title'>[]>
  runs(board: string, task: TaskId): Promise<readonly Run[]>
  run(id: RunId): Promise<Run | null>
  /**
   * Comments of a card, oldest first: the newest page, or the page before a comment. Null if the card does not have
   * that comment.
   */
  comments(
    board: string,
    task: TaskId,
    page?: { readonly limit?: number; readonly before?: CommentId },
  ): Promise<CommentPage | null>
  comment(id: CommentId): Promise<Comment | null>
  /** The newest comments that a person gave with `unblock`, `reopen` or `promote`. */
  answers(board: string, task: TaskId): Promise<AnswerPage>
  attachments(board: string, task: TaskId): Promise<readonly Attachment[]>
  taskEvents(board: string, task: TaskId, limit?: number): Promise<readonly BoardEvent[]>
  openParents(board: string, task: TaskId): Promise<readonly TaskId[]>
  /** The parents that gate some cards of a board, by card. */
  gatingParents(board: string, children: readonly TaskId[]): Promise<readonly GatingParent[]>
  /** The cards among `ids` whose body is empty or only white space. */
  withoutBody(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** Cards on any board, including the trash, sorted by id. Unknown ids are left out. */
  tasksById(ids: readonly TaskId[]): Promise<readonly Task[]>
  /** The hand-offs of a card's parents, sorted by id, without parents in the trash. */
  handOffs(board: string, child: TaskId): Promise<readonly ParentHandOff[]>
  /** The work that an agent completed on other cards, newest first. */
  recentWork(
    board: string,
    agent: string,
    options: { readonly except: TaskId; readonly limit: number },
  ): Promise<readonly RecentWork[]>
  /** The facts that a claim of this card would find, in one snapshot. */
  admissionFacts(
    task: Pick<Task, 'board' | 'id' | 'workspace' | 'branch'>,
    place: Pick<Run, 'machine' | 'agent' | 'account'>,
  ): Promise<AdmissionFacts>
  /** The cards and accounts that wait for a person and are not hidden. The cost does not grow with the boards. */
  inbox(asked: InboxQuery): Promise<InboxPage>
  /** The first cards of each column, in one snapshot. The column `done` has the cards that finished within `recentMs`. */
  columns(board: string, options: { readonly most: number; readonly recentMs: number }): Promise<BoardColumns>
  /** The cards of some boards that finished after a point in time. */
  finishedSince(
    boards: readonly string[],
    options: { readonly since: number; readonly most: number },
  ): Promise<Finished>
  /** Counts the cards that match a filter among the last `most` cards that were done at a point in time. */
  hiddenCount(
    board: string,
    filter: TaskFilter,
    options: { readonly at: number; readonly most: number },
  ): Promise<HiddenCount>
  /** The number of cards of a board by status and assignee. The cost does not grow with the board. */
  groups(board: string): Promise<readonly CardCount[]>
  /** When the oldest ready card of a board was created. */
  readySince(board: string): Promise<number | null>
  reviews(board: string): Promise<ReviewFigures>
  /**
   * The usage by agent and day since the first of `days`, which are the beginnings of days in order. Only the latest
   * `most` runs count, so that the cost is bounded.
   */
  usage(
    board: string,
    range: { readonly days: readonly number[]; readonly most: number },
  ): Promise<readonly AgentUsage[]>
  counts(board: string): Promise<Readonly<Record<Status, number>>>
  account(name: string): Promise<Account | null>
  /** Sorted by name. A store has a handful of accounts. */
  accounts(): Promise<readonly Account[]>
  /** The tokens and sessions of the HTTP server, newest first. */
  tokens(): Promise<readonly Token[]>
  /** The token with this hash, even if it has expired. */
  tokenByHash(hash: string): Promise<Token | null>
  slots(): Promise<readonly Slot[]>
  /** The dispatchers of all machines, active or lapsed. */
  dispatchers(): Promise<readonly Dispatcher[]>
  dispatcher(machine: string): Promise<Dispatcher | null>
  /** The observations that the last dispatcher of a machine stored when it ended; null if it stored none. */
  dispatcherMemory(machine: string): Promise<string | null>

  /** Events after a cursor, oldest first. Without a cursor, the page has no events, only the current cursor. */
  feed(cursor: string | null, limit?: number): Promise<FeedPage>
  /** Like `feed`, for one card. Without a cursor it starts at the card's first stored event. */
  cardFeed(
    card: { readonly board: string; readonly task: TaskId },
    cursor: string | null,
    limit?: number,
  ): Promise<FeedPage>

  /** For the dispatcher: these methods read only the rows that they return. */
  due(now: number, limit: number): Promise<readonly DueCard[]>
  /** The next time at which a card will be due; null if no card has a deadline. */
  nextDue(): Promise<number | null>
  lanes(): Promise<readonly Lane[]>
  laneHead(lane: Lane, limit: number, after?: LanePlace | null): Promise<readonly Task[]>
  /** The number of cards in a lane, counted up to `most`. */
  laneSize(lane: Lane, most: number): Promise<number>
  /** The cards among `ids` that the agent has worked on, so that another agent must review them. */
  workedOn(board: string, agent: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /**
   * The actor that last wrote the body of a card or approved it as a script. Null if no actor has done so since the
   * card was created.
   */
  bodyWriter(board: string, id: TaskId): Promise<string | null>
  /** Cards whose deadline is after `from` and not after `until`, earliest first. Includes running cards. */
  waiting(from: number, until: number, limit: number): Promise<readonly Task[]>
  /** The latest crashes of work runs, newest first. */
  recentCrashes(since: number, limit: number): Promise<readonly Crash[]>
  openRuns(machine: string | null): Promise<readonly Run[]>

  /** The store's clock. Leases and deadlines use it, so that the clocks of machines need not agree. */
  now(): Promise<number>
  /** Wakes every watcher, like a commit. Resolves when the signal was sent. */
  nudge(): Promise<void>
  /** Calls back at least once soon after a commit by any process. It may also call back without a commit. */
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>

  /** Checks every data invariant and derived value. Writes only with `fix`. */
  doctor(options?: { fix?: boolean }): Promise<readonly Finding[]>
  /** Checks the storage once after each boot of the machine, and returns the damage that it finds. */
  checkAfterBoot(bootId: string): Promise<readonly string[]>
  /** All rows of the store, in a fixed order: equal stores give equal values. */
  exportAll(): Promise<Readonly<Record<string, readonly ExportedRow[]>>>
  /** Like `exportAll`, but page by page, so that a store of any size can be exported. */
  exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void>

  /**
   * Deletes old events of finished or purged cards, a limited number in each call, and raises the floor of the feed.
   */
  sweepEvents(step: EventSweep): Promise<SweptEvents>
  /** The cards of a board that were deleted before a point in time. */
  deletedBefore(board: string, before: number): Promise<readonly DeletedCard[]>
  /** An unfinished child, which may still need the files of this card. Null if there is none. */
  unfinishedChild(board: string, parent: TaskId): Promise<TaskId | null>
  /**
   * The cards among `ids` whose managed folder no card needs any more. Cards finished after `before` are left out: a
   * person may be looking at their files.
   */
  sweepable(board: string, ids: readonly TaskId[], before: number): Promise<readonly TaskId[]>
  /** The finished cards among `ids` whose folder is kept only for an unfinished child. */
  sweepDeferred(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** Cards whose folder has been in state `sweeping` since before a point in time. Reads the whole board. */
  sweeping(board: string, before: number): Promise<readonly TaskId[]>
  /**
   * The paths of the user's directories and repositories that cards work in, on all boards. Archived and deleted cards do
   * not count. The query takes one seek for each path, not for each card.
   */
  namedPlaces(): Promise<readonly string[]>
  /** When some runs ended, or null for an open run. Unknown runs are left out. */
  runEnds(ids: readonly RunId[]): Promise<ReadonlyMap<RunId, Pick<Run, 'board' | 'endedAt'>>>
  /** The ids among `ids` of cards that this board has, or had according to its stored events. */
  everKnown(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /** The paths of the stored files of some cards, relative to the board's attachments folder. */
  storedPaths(board: string, ids: readonly TaskId[]): Promise<readonly string[]>
  /**
   * The files of all cards in the order in which they were recorded, page by page. `next` is null after the last page.
   */
  recordedFiles(
    after: number,
    most: number,
  ): Promise<{ readonly files: readonly RecordedFile[]; readonly next: number | null }>
  /** With `exiting`, the process is about to end, so closing skips the clean-up that the operating system then does. */
  close(options?: { exiting?: boolean }): Promise<void>
}
