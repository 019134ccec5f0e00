/**
 * The interface to all stored data. SQLite and PostgreSQL implement this interface and pass the same contract suite.
 * The interface offers operations, never a connection or a transaction. A decision and its events are written together,
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
import type { BoardEvent, EventKind } from '../core/event.ts'
import type { CardInboxKind, InboxKind, InboxMark } from '../core/inbox.ts'
import type { CommentId, RunId, SeriesId, TaskId } from '../core/ids.ts'
import type { Fence, Run } from '../core/run.ts'
import type { SavedView } from '../core/saved-view.ts'
import type { Series } from '../core/series.ts'
import type { Slot } from '../core/slot.ts'
import type { BlackboardEntry, SwarmMember, Verification } from '../core/swarm.ts'
import type { Task } from '../core/task.ts'
import type { Token } from '../core/token.ts'
import type { Entry } from '../core/tournament/tournament.ts'
import type { VerbName } from '../core/transitions/index.ts'
import type { WaitKind } from '../core/wait-kind.ts'
import type { Outcome, Status } from '../core/vocabulary.ts'

export interface TaskView extends Task {
  readonly parents: readonly TaskId[]
  readonly children: readonly TaskId[]
}

/** A card in a list, without the fields that can be long. */
export type ListedTask = Omit<TaskView, (typeof DETAIL_FIELDS)[number]>

export const SORTS = [
  'default',
  'start',
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
/**
 * The order of cards in a list. With `finished`, the card that finished last comes first. Only finished cards have this
 * order.
 */
export type CardOrder = Sort | 'finished'

/** The fields that can be filtered by their absence. Unassigned cards have another filter: `assignees` with null. */
export const WITHOUT_FIELDS = ['tenant', 'workflow', 'labels'] as const
export type WithoutField = (typeof WITHOUT_FIELDS)[number]

export interface TaskFilter extends Readonly<Partial<{ [K in FilterField]: FilterValue<K> }>> {
  readonly status?: Status
  /** Selects cards with one of these statuses. */
  readonly statuses?: readonly Status[]
  /** Selects cards of one of these agents. Null stands for unassigned cards. */
  readonly assignees?: readonly (string | null)[]
  readonly parent?: TaskId
  readonly text?: string
  /** Whether to include archived cards. `status: 'archived'` includes them too. */
  readonly archived?: boolean
  /** Leaves out the cards that were already done at this time. */
  readonly unfinishedAt?: number
  readonly minPriority?: number
  /** Selects cards that changed at or after this time. */
  readonly changedSince?: number
  /** Selects cards that finished at or after this time. */
  readonly finishedSince?: number
  readonly waitsFor?: WaitKind
  /** Selects the cards that have no value in these fields. */
  readonly without?: readonly WithoutField[]
  readonly sort?: CardOrder
  readonly limit?: number
  readonly after?: TaskId
}

/** The state of the store at one moment. */
export interface Revision {
  /**
   * A text that differs after every commit of any process. If it is the same at two moments, no process committed
   * between them. Null means that the engine has no such value. Two open stores have different texts.
   */
  readonly id: string | null
  /** The time at this moment, by the store's clock. */
  readonly now: number
}

/**
 * A page of the feed. If the cursor is too old or is from before a restore, `resync` is set, and the reader must read
 * the board again.
 */
export interface FeedPage {
  readonly events: readonly BoardEvent[]
  readonly cursor: string
  readonly resync: boolean
  /** Whether more events may follow, because the page is full. */
  readonly more: boolean
}

/** A parent for its children: the card, the summary of its newest finished work, and its stored files. */
export interface ParentHandOff {
  readonly task: Task
  readonly summary: string | null
  /** The paths are relative to the board's attachments folder. */
  readonly storedPaths: readonly string[]
}

export interface ActivityQuery {
  /** Selects the events of this board. Null means all boards. */
  readonly board: string | null
  readonly task: Pick<Task, 'board' | 'id'> | null
  readonly kinds: readonly EventKind[] | null
  readonly actor: string | null
  /** Selects the events before this event id. Null means the latest events. */
  readonly before: number | null
  /** Selects the events at or after this time. */
  readonly from?: number | null
  /** Selects the events before this time. */
  readonly until?: number | null
  readonly most: number
}

export interface ActivityPage {
  /**
   * The events, newest first, each with the title of its card. The title is null if the event has no card or the card
   * was purged.
   */
  readonly events: readonly (BoardEvent & { readonly title: string | null })[]
  /** The value of `before` for the next page. Null means that no older events exist. A page may have no events. */
  readonly next: number | null
}

/** A file of a card, as the store recorded it. */
export type RecordedFile = Pick<Attachment, 'board' | 'taskId' | 'filename' | 'storedPath' | 'size' | 'sha256'>

/** The facts that decide whether a card may be claimed, in addition to the card and its board. */
export interface CardVerification {
  readonly synthesizer: TaskId
  readonly verification: Verification
}

export interface AdmissionFacts extends Pick<Admission, 'openRuns' | 'directoryUser' | 'branchHolders'> {
  /** The verifier that the card waits for. Null means that the card is not a synthesizer. */
  readonly verification: Verification | null
  /** The unfinished parents that the card waits for. */
  readonly openParents: readonly Task[]
  /** Whether the folder of a parent is being removed. */
  readonly parentSweeping: boolean
  readonly account: Account | null
  /** The slots of the card's machine, board, agent and account. A slot without a row is left out. */
  readonly slots: readonly Slot[]
  readonly run: Run | null
}

export interface CommentPage {
  readonly comments: readonly Comment[]
  /** The number of comments on the card that are older than this page. */
  readonly earlier: number
}

export interface AnswerPage {
  /** The answers, oldest first. */
  readonly answers: readonly Comment[]
  /** The number of older answers that are not on this page, since the card was last done. */
  readonly earlier: number
}

export interface CardCount {
  readonly status: Status
  readonly assignee: string | null
  readonly count: number
}

/** Statistics about the reviews of a board, from its stored events. */
export interface ReviewFigures {
  readonly approved: number
  readonly changesRequested: number
  /** How long the latest reviews took, in no particular order. */
  readonly waitedMs: readonly number[]
  /** The time at which the oldest card in review entered review. Null means that no card is in review. */
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

/** How many runs of an agent ended with an outcome. */
export interface RunEnding {
  readonly agent: string
  readonly outcome: Outcome
  readonly runs: number
}

/** A card without the fields that can be long, and without links. */
export type ShortTask = Omit<ListedTask, 'parents' | 'children'>

export interface LinkedCardsQuery {
  readonly board: string
  /** The card in the middle of the graph. Null means that the graph starts from the first open cards of the board. */
  readonly task: TaskId | null
  /** The maximum number of cards. */
  readonly most: number
}

export interface CardLink {
  readonly parent: TaskId
  readonly child: TaskId
  /** Whether a person waived the link, so that the child no longer waits for the parent. */
  readonly isWaived: boolean
}

export interface LinkedCards {
  readonly cards: readonly ShortTask[]
  readonly links: readonly CardLink[]
  /** Whether further cards are linked with these cards. */
  readonly isCut: boolean
}

/** An unfinished parent of a card. */
export interface GatingParent extends Pick<Task, 'id' | 'title' | 'status'> {
  readonly child: TaskId
}

export interface InboxQuery {
  /** The boards to read, each with the agent that reviews its cards. */
  readonly boards: readonly { readonly slug: string; readonly reviewer: string | null }[]
  /** The queues whose agent cannot run. Their cards wait for a person. */
  readonly lanes: readonly Lane[]
  readonly most: number
  /** The position of the last card on the previous page. */
  readonly after?: (LanePlace & { readonly kind: CardInboxKind }) | null
  readonly only?: TaskId | null
  /** Whether to include items that a person hid. With `only`, only hidden items are returned. */
  readonly hidden?: boolean | 'only'
  /** Selects items of these kinds. Null means all kinds. */
  readonly kinds?: readonly InboxKind[] | null
}

export interface SummaryQuery extends Pick<InboxQuery, 'boards' | 'lanes'> {
  /** The time from which finished cards are counted. Null means that no cards are counted. */
  readonly since: number | null
  /** The beginning of the day whose cost is added up. */
  readonly today: number
}

/** The numbers that every screen of the dashboard shows, for several boards. */
export interface Summary {
  readonly counts: readonly { readonly board: string; readonly status: Status; readonly count: number }[]
  /** The number of finished cards of each board, counted up to `SUMMARY_MOST`. */
  readonly finished: ReadonlyMap<string, number>
  /** The number of inbox items of each kind. On each board, items are counted up to `SUMMARY_MOST`. */
  readonly waiting: Readonly<Record<InboxKind, number>>
  readonly used: Omit<AgentUsage, 'agent' | 'day'>
}

/** A summary counts finished cards and inbox items only up to this number, so that its cost is bounded. */
export const SUMMARY_MOST = 200

export interface InboxCard {
  readonly kind: CardInboxKind
  readonly task: ShortTask
}

export interface InboxPage {
  readonly now: number
  /** The accounts that are paused until a person resumes them. Only the first page has accounts. */
  readonly accounts: readonly Account[]
  /** The cards, sorted by kind, then by rank. */
  readonly cards: readonly InboxCard[]
  /** The marks of the hidden items on this page. */
  readonly marks: readonly InboxMark[]
}

/** The filter of a column. */
export type ColumnFilter = Omit<
  TaskFilter,
  'status' | 'statuses' | 'unfinishedAt' | 'archived' | 'sort' | 'limit' | 'after'
>

export interface ColumnsQuery {
  readonly boards: readonly string[]
  readonly statuses: readonly Status[]
  /** The column `done` has the cards that finished within this time. */
  readonly recentMs: number
  /** The maximum number of cards to return in each column. */
  readonly most: number
  readonly filter?: ColumnFilter
  /**
   * The order of the cards. The default is the order in which cards start; in `done`, the card that finished last comes
   * first.
   */
  readonly sort?: Sort
  /** The last card of the page before. */
  readonly after?: TaskId
  /** The agents that run the body of a card as a script. */
  readonly scripts?: readonly string[]
}

/** The fields by which a board can group its cards. */
export const GROUP_FIELDS = ['assignee', 'tenant', 'workflow', 'labels', 'createdBy'] as const
export type GroupField = (typeof GROUP_FIELDS)[number]

export interface GroupsQuery extends Pick<ColumnsQuery, 'boards' | 'statuses' | 'recentMs' | 'filter'> {
  readonly by: GroupField
}

/**
 * The number of cards with a value. If the value is null, the number of cards without a value. A card with two labels
 * is in two groups.
 */
export interface CardGroup {
  readonly value: string | null
  readonly count: number
}

export interface BoardColumn {
  readonly status: Status
  /** The number of cards that match the filter. */
  readonly count: number
  /** False if the column has more matching cards than were counted. */
  readonly isExact: boolean
  readonly cards: readonly ShortTask[]
}

/** The rows that the reasons of all cards depend on. */
export interface SharedFacts {
  readonly now: number
  readonly boards: readonly Board[]
  readonly slots: readonly Slot[]
  readonly accounts: readonly Account[]
  readonly openRuns: readonly Run[]
}

/** The facts that the reasons of some cards depend on. */
export interface CardFacts {
  readonly gatingParents: readonly GatingParent[]
  /** The entries of the tournaments among the cards. */
  readonly entries: readonly Entry[]
  /** The cards in review that the board's reviewer has worked on. */
  readonly verifications: readonly CardVerification[]
  readonly ownReviews: readonly TaskId[]
  /** The cards without a body whose agent runs the body as a script. */
  readonly withoutBody: readonly TaskId[]
}

/** The last attempt at a card. */
export interface CardWork extends Pick<
  Run,
  | 'id'
  | 'taskId'
  | 'attempt'
  | 'phase'
  | 'agent'
  | 'claimedBy'
  | 'startedAt'
  | 'endedAt'
  | 'outcome'
  | 'usage'
  | 'logPath'
> {
  /** The result of the last checks of the card, in one of its last attempts. */
  readonly checks: Run['checks']
  /** The last recorded changes of the card's worktree. */
  readonly changes: Run['changes']
}

/** How many children of a card are done. At most 1,000 children are counted. */
export interface ChildProgress {
  readonly id: TaskId
  readonly done: number
  readonly total: number
}

/** The cost and duration of all attempts at a card. */
export interface CardSpent {
  readonly id: TaskId
  readonly attempts: number
  /** The cost in US dollars. Null means that no attempt reported its cost. */
  readonly costUsd: number | null
  readonly durationMs: number
}

export interface CardHistories {
  readonly work: readonly CardWork[]
  readonly progress: readonly ChildProgress[]
  readonly spent: readonly CardSpent[]
}

/** Some columns of one or several boards, with everything that their cards show, in one snapshot. */
export interface BoardColumns {
  /** The position in the feed at which the cards were read. Later events are not yet in these cards. */
  readonly cursor: string
  readonly columns: readonly BoardColumn[]
  readonly shared: SharedFacts
  readonly facts: CardFacts
  readonly work: readonly CardWork[]
  readonly progress: readonly ChildProgress[]
}

/** The number of cards that a list leaves out because they are done. */
export interface HiddenCount {
  readonly count: number
  /** Whether some older cards were not compared with the filter, because there are too many. */
  readonly isCut: boolean
}

export interface Finished {
  readonly count: number
  /** The cards, newest first. */
  readonly cards: readonly ShortTask[]
}

/** The totals of some periods on some boards. `period` and `day` are indexes into the lists of starts. */
export interface Totals {
  readonly now: number
  readonly finished: readonly { readonly board: string; readonly period: number; readonly cards: number }[]
  readonly used: readonly (AgentUsage & { readonly board: string })[]
  /** How the runs of agents ended. Only the latest `PERIOD_RUNS` runs of each board count. */
  readonly endings: readonly { readonly period: number; readonly outcome: Outcome; readonly runs: number }[]
}

/** The maximum number of cards and runs of a board to count, which bounds the cost. */
export const PERIOD_RUNS = 20_000

/** A card whose deadline has passed. */
export type DueCard = Pick<Task, 'board' | 'id' | 'status' | 'dueAt' | 'currentRunId'>

/** A queue of ready cards, or of cards in review, on one board for one agent. */
export interface Lane {
  readonly board: string
  readonly agent: string | null
  readonly phase: 'work' | 'review'
}

/** The position of a card in its queue. The next page starts after it. */
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

/** One step through the event log, from the oldest event on. */
export interface EventSweep {
  /** Selects the events that were written before this time. */
  readonly before: number
  /** The board whose events are selected. Null means all boards. */
  readonly board: string | null
  /** The value `next` of the previous step, or 0 for the first step. */
  readonly after: number
  /** Whether to delete the events. Otherwise they are only counted. */
  readonly remove: boolean
}

export interface SweptEvents {
  readonly events: number
  /** The start of the next step. Null means that no older events are left. */
  readonly next: number | null
}

export interface BackupContents {
  readonly boards: number
  /** The number of cards, without cards in the trash. */
  readonly cards: number
  /** The runs of agents that were open when the backup was made. A restore closes them as interrupted. */
  readonly openRuns: number
  /** The faults that `doctor` finds in the data of the backup. A damaged file is an error instead. */
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
   * Extends the lease of an open run. With `active`, also records progress of the agent. Null means that another run
   * owns the card now, so the supervisor must stop its agent.
   */
  renewLease(board: string, fence: Fence, progress?: { readonly active: boolean }): Promise<HeldLease | null>

  boards(): Promise<readonly Board[]>
  board(slug: string): Promise<Board | null>
  /** Returns a card. A card in the trash is found only with `deleted`. */
  task(board: string, id: TaskId, options?: { deleted?: boolean }): Promise<TaskView | null>
  tasks(board: string, filter?: TaskFilter): Promise<readonly ListedTask[]>
  /**
   * The first few cards whose id starts with `prefix`, on one board or on all boards. These cards show whether the
   * prefix is unique. Cards in the trash are found only with `deleted`.
   */
  tasksByPrefix(
    prefix: string,
    options?: { deleted?: boolean; board?: string },
  ): Promise<readonly Pick<Task, 'id' | 'board' | 'title'>[]>
  runs(board: string, task: TaskId): Promise<readonly Run[]>
  run(id: RunId): Promise<Run | null>
  /**
   * The comments of a card, oldest first. Returns the newest page, or the page before the comment `before`. Null means
   * that the card does not have that comment.
   */
  comments(
    board: string,
    task: TaskId,
    page?: { readonly limit?: number; readonly before?: CommentId },
  ): Promise<CommentPage | null>
  comment(id: CommentId): Promise<Comment | null>
  /** The newest comments that a person gave with `unblock`, `reopen` or `promote`. */
  answers(board: string, task: TaskId): Promise<AnswerPage>

  /** The cards of a swarm: its root, workers, verifier and synthesizer. Cards in the trash are included. */
  swarmMembers(root: TaskId): Promise<readonly SwarmMember[]>
  /** The verifiers of the synthesizers among some cards. Other cards are left out. */
  verifications(ids: readonly TaskId[]): Promise<readonly CardVerification[]>
  /** The blackboard of a swarm, sorted by key. */
  blackboard(root: TaskId): Promise<readonly BlackboardEntry[]>
  attachments(board: string, task: TaskId): Promise<readonly Attachment[]>
  taskEvents(board: string, task: TaskId, limit?: number): Promise<readonly BoardEvent[]>
  openParents(board: string, task: TaskId): Promise<readonly TaskId[]>
  /** The unfinished parents that some cards of a board wait for. */
  gatingParents(board: string, children: readonly TaskId[]): Promise<readonly GatingParent[]>
  /** Cards that are linked with each other, in one snapshot. Large boards do not make the query slower. */
  linkedCards(asked: LinkedCardsQuery): Promise<LinkedCards>
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
  /** The facts that decide whether this card can be claimed, in one snapshot. */
  admissionFacts(
    task: Pick<Task, 'board' | 'id' | 'workspace' | 'branch'>,
    place: Pick<Run, 'machine' | 'agent' | 'account'>,
  ): Promise<AdmissionFacts>
  /** The cards and accounts that wait for a person and are not hidden. Large boards do not make the query slower. */
  inbox(asked: InboxQuery): Promise<InboxPage>
  /**
   * The last attempts, the children and the cost of some cards, on any board. A card without attempts and without
   * children is left out.
   */
  cardHistories(ids: readonly TaskId[]): Promise<CardHistories>
  /** A page of the event log, newest first. */
  activity(asked: ActivityQuery): Promise<ActivityPage>
  /**
   * The numbers that every screen of the dashboard shows, in one snapshot. The cost does not grow with the size of the
   * boards.
   */
  summary(asked: SummaryQuery): Promise<Summary>
  /** The rows that the reasons of all cards depend on, in one snapshot. */
  sharedFacts(): Promise<SharedFacts>
  /** A page of some columns, in one snapshot. The cost does not grow with the size of the boards. */
  columns(asked: ColumnsQuery): Promise<BoardColumns>
  /** The cards of some columns, counted by a field. The largest groups come first. */
  cardGroups(asked: GroupsQuery): Promise<readonly CardGroup[]>
  /** The cards of some boards that finished after a point in time. */
  finishedSince(
    boards: readonly string[],
    options: { readonly since: number; readonly most: number },
  ): Promise<Finished>
  /**
   * Counts the cards that match the filter and were already done at the time `at`. Only the last `most` of these cards
   * are compared with the filter.
   */
  hiddenCount(
    board: string,
    filter: TaskFilter,
    options: { readonly at: number; readonly most: number },
  ): Promise<HiddenCount>
  /** The number of cards of a board by status and assignee. Large boards do not make the query slower. */
  groups(board: string): Promise<readonly CardCount[]>
  /** The time at which the oldest ready card of a board was created. */
  readySince(board: string): Promise<number | null>
  reviews(board: string): Promise<ReviewFigures>
  /**
   * The usage by agent and day since the first of `days`, which are the beginnings of days in order. Only the latest
   * `most` runs count, so that the query stays fast.
   */
  usage(
    board: string,
    range: { readonly days: readonly number[]; readonly most: number },
  ): Promise<readonly AgentUsage[]>
  /**
   * The cards that finished, and the usage of the runs that ended, in each period. `starts` are the beginnings of the
   * periods, in order. Only the latest `PERIOD_RUNS` cards and runs of each board count.
   */
  totals(boards: readonly string[], starts: readonly number[]): Promise<Totals>
  /** How the runs of agents ended since a time, on all boards. Only the latest `most` runs count. */
  runEndings(since: number, most: number): Promise<readonly RunEnding[]>
  counts(board: string): Promise<Readonly<Record<Status, number>>>
  account(name: string): Promise<Account | null>
  /** All accounts, sorted by name. A store has only a few accounts. */
  accounts(): Promise<readonly Account[]>
  /** The tokens and sessions of the HTTP server, newest first. */
  tokens(): Promise<readonly Token[]>
  /** The token with this hash, even if it has expired. */
  tokenByHash(hash: string): Promise<Token | null>
  /** The saved views of all boards, sorted by name. */
  savedViews(): Promise<readonly SavedView[]>
  /** The series of a board, or of all boards, sorted by board and id. */
  series(board: string | null): Promise<readonly Series[]>
  seriesById(id: SeriesId): Promise<Series | null>
  /** The last cards of a series, the card for the latest time first. Cards in the trash are left out. */
  seriesCards(series: SeriesId, most: number): Promise<readonly ShortTask[]>
  slots(): Promise<readonly Slot[]>
  /** The dispatchers of all machines, including dispatchers whose lease has ended. */
  dispatchers(): Promise<readonly Dispatcher[]>
  dispatcher(machine: string): Promise<Dispatcher | null>
  /** The observations that the last dispatcher of a machine stored. Null means that it stored no observations. */
  dispatcherMemory(machine: string): Promise<string | null>

  /** The events after a cursor, oldest first. Without a cursor, the page has no events but only the current cursor. */
  feed(cursor: string | null, limit?: number): Promise<FeedPage>
  /**
   * Like `feed`, but returns the events of one card. Without a cursor, the page starts at the card's first stored
   * event.
   */
  cardFeed(
    card: { readonly board: string; readonly task: TaskId },
    cursor: string | null,
    limit?: number,
  ): Promise<FeedPage>

  /**
   * The cards whose deadline has passed. This method and the other methods of the dispatcher read only the rows that
   * they return.
   */
  due(now: number, limit: number): Promise<readonly DueCard[]>
  /** The next deadline of any card. Null means that no card has a deadline. */
  nextDue(): Promise<number | null>
  /** The series that are due. After the clock was set back, also returns series that would otherwise wait too long. */
  dueSeries(now: number, limit: number): Promise<readonly Series[]>
  /** The time at which the next series is due. Null means that no series waits for a time. */
  nextSeriesAt(): Promise<number | null>
  lanes(): Promise<readonly Lane[]>
  laneHead(lane: Lane, limit: number, after?: LanePlace | null): Promise<readonly Task[]>
  /** The number of cards in a queue, counted up to `most`. */
  laneSize(lane: Lane, most: number): Promise<number>
  /** The cards among `ids` on which the agent has worked, so that another agent must review them. */
  workedOn(board: string, agent: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /**
   * The actor that last wrote the body of a card, or approved the body as a script. Null means that the body is
   * unchanged since the card was created.
   */
  bodyWriter(board: string, id: TaskId): Promise<string | null>
  /** The cards whose deadline is after `from` and not after `until`, earliest first. Running cards are included. */
  waiting(from: number, until: number, limit: number): Promise<readonly Task[]>
  /** The cards in triage that Muster may plan automatically now. Cards with fewer planning attempts come first. */
  plannableCards(board: string, now: number, limit: number): Promise<readonly TaskId[]>
  /** The tournaments of all boards that may have no result yet. */
  openTournaments(limit: number): Promise<readonly Task[]>
  /** The latest crashes of work runs, newest first. */
  recentCrashes(since: number, limit: number): Promise<readonly Crash[]>
  openRuns(machine: string | null): Promise<readonly Run[]>

  /**
   * The time by the store's clock. Leases and deadlines use this clock, so that the clocks of machines need not agree.
   */
  now(): Promise<number>
  /** The current revision of the store, with the time. */
  revision(): Promise<Revision>
  /** Wakes every watcher, as a commit does. Resolves when the signal is sent. */
  nudge(): Promise<void>
  /** Calls back soon after a commit by any process. Some calls may come without a commit. */
  watch(onChange: () => void): Promise<{ stop(): Promise<void> }>

  /** Checks every rule of the data. Only with `fix`, the store is changed. */
  doctor(options?: { fix?: boolean }): Promise<readonly Finding[]>
  /** Checks the storage once after each boot of the machine. Returns the damage. */
  checkAfterBoot(bootId: string): Promise<readonly string[]>
  /** All rows of the store, in a fixed order. Equal stores give equal results. */
  exportAll(): Promise<Readonly<Record<string, readonly ExportedRow[]>>>
  /** Like `exportAll`, but page by page, so that a store of any size can be exported. */
  exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void>

  /**
   * Deletes old events of finished or removed cards. Each call deletes a limited number of events, and raises the
   * oldest id that a cursor may have.
   */
  sweepEvents(step: EventSweep): Promise<SweptEvents>
  /** The cards of a board that were deleted before a point in time. */
  deletedBefore(board: string, before: number): Promise<readonly DeletedCard[]>
  /** An unfinished child, which may still need the files of this card. Null means that no child is unfinished. */
  unfinishedChild(board: string, parent: TaskId): Promise<TaskId | null>
  /**
   * The cards among `ids` whose folder no card needs any more. Cards that finished after `before` are left out, because
   * a person may be looking at their files.
   */
  sweepable(board: string, ids: readonly TaskId[], before: number): Promise<readonly TaskId[]>
  /** The finished cards among `ids` whose folder is kept only for an unfinished child. */
  sweepDeferred(board: string, ids: readonly TaskId[]): Promise<readonly TaskId[]>
  /**
   * The cards whose folder has been in state `sweeping` since before a point in time. This query reads the whole board.
   */
  sweeping(board: string, before: number): Promise<readonly TaskId[]>
  /**
   * The paths of the user's directories and repositories in which cards work, on all boards. Archived and deleted cards
   * do not count. The query makes one search for each path, not for each card.
   */
  namedPlaces(): Promise<readonly string[]>
  /** The end times of some runs. The time is null for an open run. Unknown runs are left out. */
  runEnds(ids: readonly RunId[]): Promise<ReadonlyMap<RunId, Pick<Run, 'board' | 'endedAt'>>>
  /** The cards among `ids` that this board has, or had according to its stored events. */
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
  /**
   * Closes the store. With `exiting`, the process is about to end, so the clean-up that the operating system does
   * anyway is skipped.
   */
  close(options?: { exiting?: boolean }): Promise<void>
}
