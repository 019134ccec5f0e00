/** The implementation of `Store` for both engines. */
import type { Command, DecisionOutcome, OutcomeOf } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import type { CommentId, RunId, SeriesId, TaskId } from '../core/ids.ts'
import type { Fence, Run } from '../core/run.ts'
import type { Task } from '../core/task.ts'
import type { VerbName } from '../core/transitions/index.ts'
import { readActivity } from './activity.ts'
import * as agenda from './agenda.ts'
import { historyOfCards } from './card-work.ts'
import * as cards from './cards.ts'
import { cardGroups } from './card-groups.ts'
import { boardColumns, sharedFacts } from './columns.ts'
import { answerPage, commentById, commentPage } from './comments.ts'
import type { CommentsAsked } from './comments.ts'
import type * as Rules from './decide.ts'
import { checkAfterBoot, examine } from './doctor.ts'
import type { Dialect } from './dialect.ts'
import { exportPages } from './export.ts'
import { cardFeedAfter, feedAfter, latestEvents } from './feed.ts'
import { inboxPage } from './inbox.ts'
import { finishedSince } from './finished.ts'
import { readTotals } from './totals.ts'
import { getMeta } from './migrate.ts'
import { answerFact, memoryKey } from './queries/facts.ts'
import { laneHead, openTournaments, waitingTasks } from './queries/tasks.ts'
import { renewLease } from './renew-lease.ts'
import {
  ACCOUNT,
  ATTACHMENT,
  BLACKBOARD,
  BOARD,
  DISPATCHER,
  LISTED_TASK,
  RUN,
  SAVED_VIEW,
  SERIES,
  SLOT,
  TASK,
  TOKEN,
} from './rows.ts'
import type { Table } from './rows.ts'
import { select, selectOne } from './select.ts'
import { sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { entriesOf, membersOf, verificationsOf } from './swarms.ts'
import { linkedCards } from './linked-cards.ts'
import { cardsById, cardsWithoutBody, gatingParentsOf, handOffsTo, readAdmissionFacts, workOf } from './card-context.ts'
import type {
  ActivityQuery,
  ColumnsQuery,
  GroupsQuery,
  EventSweep,
  ExportedRow,
  InboxQuery,
  Lane,
  LanePlace,
  LinkedCardsQuery,
  Revision,
  ShortTask,
  Store,
  SummaryQuery,
  SweptEvents,
  TaskFilter,
} from './store.ts'
import { readSummary } from './summary.ts'
import {
  cardsDeletedBefore,
  deferredAmong,
  filesAfter,
  knownAmong,
  storedPathsOf,
  runEnds,
  sweepStretch,
  placesNamed,
  sweepableAmong,
  sweepingIn,
} from './upkeep.ts'

export class SqlStore implements Store {
  readonly #dialect: Dialect
  #rules: Promise<typeof Rules> | null = null

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  get engine(): Dialect['engine'] {
    return this.#dialect.engine
  }

  get engineVersion(): string {
    return this.#dialect.engineVersion
  }

  async decide<N extends VerbName>(command: Command<N>): Promise<OutcomeOf<N>> {
    // If the file was replaced, a commit to the old file would be reported as done, but would be lost.
    if (this.#dialect.isReplaced())
      throw new BoardError('store_io', 'The store was replaced while it was open. Run the command again.')
    // The first decision loads the rules and their schemas. So a command that only reads never loads them.
    const { decideIn } = await (this.#rules ??= import('./decide.ts'))
    const body = await decideIn(this.#dialect, command)
    if (body instanceof Error) return { ok: false, error: body }
    const { outcome, rings } = await this.#dialect.transact(body)
    if (rings) this.#dialect.ring()
    return outcome as DecisionOutcome<never>
  }

  async renewLease(board: string, fence: Fence, { active } = { active: false }) {
    // A restore replaced the file. The new file may have the run too, so this agent must stop.
    if (this.#dialect.isReplaced()) return null
    return this.#dialect.transact(() => renewLease(this.#dialect, board, fence, active))
  }

  boards() {
    return this.#select(BOARD, sql`select ${BOARD.columns} from board order by slug`)
  }

  board(slug: string) {
    return this.#selectOne(BOARD, sql`select ${BOARD.columns} from board where slug = ${slug}`)
  }

  task(board: string, id: TaskId, options: { deleted?: boolean } = {}) {
    return this.#dialect.read(() => cards.viewOf(board, id, options))
  }

  tasks(board: string, filter: TaskFilter = {}) {
    return this.#dialect.read(() => cards.viewsOf(this.engine, board, filter))
  }

  tasksByPrefix(prefix: string, options: { deleted?: boolean; board?: string } = {}) {
    return this.#dialect.read(() => cards.cardsByPrefix(prefix, options))
  }

  runs(board: string, task: TaskId) {
    return this.#select(
      RUN,
      sql`select ${RUN.columns} from run where board = ${board} and task_id = ${task} order by attempt`,
    )
  }

  run(id: RunId) {
    return this.#selectOne(RUN, sql`select ${RUN.columns} from run where id = ${id}`)
  }

  comments(board: string, task: TaskId, page: CommentsAsked = {}) {
    return this.#dialect.read(() => commentPage(board, task, page))
  }

  comment(id: CommentId) {
    return this.#dialect.read(() => commentById(id))
  }

  answers(board: string, task: TaskId) {
    return this.#dialect.read(() => answerPage(board, task))
  }

  attachments(board: string, task: TaskId) {
    return this.#select(
      ATTACHMENT,
      sql`select ${ATTACHMENT.columns} from attachment where board = ${board} and task_id = ${task} order by seq`,
    )
  }

  taskEvents(board: string, task: TaskId, limit = 200) {
    return this.#dialect.read(() => latestEvents(board, task, limit))
  }

  swarmMembers(root: TaskId) {
    return this.#dialect.read(() => membersOf(root))
  }

  verifications(ids: readonly TaskId[]) {
    return this.#dialect.read(() => verificationsOf(ids))
  }

  blackboard(root: TaskId) {
    return this.#select(BLACKBOARD, entriesOf(root))
  }

  openParents(board: string, task: TaskId): Promise<readonly TaskId[]> {
    return this.#dialect.read(() => answerFact({ fact: 'open_parents', child: task }, board)) as Promise<
      readonly TaskId[]
    >
  }

  gatingParents(board: string, children: readonly TaskId[]) {
    return this.#dialect.read(() => gatingParentsOf(board, children))
  }

  linkedCards(asked: LinkedCardsQuery) {
    return this.#dialect.read(() => linkedCards(asked))
  }

  withoutBody(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => cardsWithoutBody(board, ids))
  }

  tasksById(ids: readonly TaskId[]): Promise<readonly Task[]> {
    return this.#dialect.read(() => cardsById(ids))
  }

  handOffs(board: string, child: TaskId) {
    return this.#dialect.read(() => handOffsTo(board, child))
  }

  recentWork(board: string, agent: string, options: { except: TaskId; limit: number }) {
    return this.#dialect.read(() => workOf(board, agent, options))
  }

  admissionFacts(
    task: Pick<Task, 'board' | 'id' | 'workspace' | 'branch'>,
    place: Pick<Run, 'machine' | 'agent' | 'account'>,
  ) {
    return this.#dialect.read(() => readAdmissionFacts(task, place))
  }

  inbox(asked: InboxQuery) {
    return this.#dialect.read(() => inboxPage(this.#dialect, asked))
  }

  cardHistories(ids: readonly TaskId[]) {
    return this.#dialect.read(() => historyOfCards(this.engine, ids))
  }

  activity(asked: ActivityQuery) {
    return this.#dialect.read(() => readActivity(asked))
  }

  summary(asked: SummaryQuery) {
    return this.#dialect.read(() => readSummary(this.#dialect, asked))
  }

  sharedFacts() {
    return this.#dialect.read(() => sharedFacts(this.#dialect))
  }

  cardGroups(asked: GroupsQuery) {
    return this.#dialect.read(() => cardGroups(this.#dialect, asked))
  }

  columns(asked: ColumnsQuery) {
    return this.#dialect.read(() => boardColumns(this.#dialect, asked))
  }

  totals(boards: readonly string[], starts: readonly number[]) {
    return this.#dialect.read(() => readTotals(this.#dialect, boards, starts))
  }

  finishedSince(boards: readonly string[], options: { since: number; most: number }) {
    return this.#dialect.read(() => finishedSince(boards, options))
  }

  hiddenCount(board: string, filter: TaskFilter, options: { at: number; most: number }) {
    return this.#dialect.read(() => cards.countDone(board, filter, options))
  }

  groups(board: string) {
    return this.#dialect.read(() => cards.countsByGroup(board))
  }

  readySince(board: string) {
    return this.#dialect.read(() => cards.readySince(board))
  }

  reviews(board: string) {
    return this.#dialect.read(() => cards.reviewFigures(board))
  }

  usage(board: string, range: { readonly days: readonly number[]; readonly most: number }) {
    return this.#dialect.read(() => cards.usageFigures(this.engine, board, range))
  }

  runEndings(since: number, most: number) {
    return this.#dialect.read(() => cards.runEndings(since, most))
  }

  counts(board: string) {
    return this.#dialect.read(() => cards.countsByStatus(board))
  }

  account(name: string) {
    return this.#selectOne(ACCOUNT, sql`select ${ACCOUNT.columns} from account where name = ${name}`)
  }

  accounts() {
    return this.#select(ACCOUNT, sql`select ${ACCOUNT.columns} from account order by name`)
  }

  tokens() {
    return this.#select(TOKEN, sql`select ${TOKEN.columns} from token order by created_at desc, id`)
  }

  tokenByHash(hash: string) {
    return this.#selectOne(TOKEN, sql`select ${TOKEN.columns} from token where hash = ${hash}`)
  }

  savedViews() {
    return this.#select(SAVED_VIEW, sql`select ${SAVED_VIEW.columns} from saved_view order by name`)
  }

  series(board: string | null) {
    const own = board === null ? sql`` : sql`where board = ${board}`
    return this.#select(SERIES, sql`select ${SERIES.columns} from series ${own} order by board, id`)
  }

  seriesById(id: SeriesId) {
    return this.#selectOne(SERIES, sql`select ${SERIES.columns} from series where id = ${id}`)
  }

  seriesCards(series: SeriesId, most: number): Promise<readonly ShortTask[]> {
    return this.#select(
      LISTED_TASK,
      sql`select ${LISTED_TASK.columns} from task where series = ${series} and deleted_at is null
        order by series_slot desc limit ${most}`,
    )
  }

  slots() {
    return this.#select(SLOT, sql`select ${SLOT.columns} from slot order by kind, name`)
  }

  dispatchers() {
    return this.#select(DISPATCHER, sql`select ${DISPATCHER.columns} from dispatcher order by machine`)
  }

  dispatcher(machine: string) {
    return this.#selectOne(DISPATCHER, sql`select ${DISPATCHER.columns} from dispatcher where machine = ${machine}`)
  }

  dispatcherMemory(machine: string) {
    return this.#dialect.read(() => getMeta(memoryKey(machine)))
  }

  feed(cursor: string | null, limit = 500) {
    return this.#dialect.read(() => feedAfter(this.#dialect, cursor, limit))
  }

  cardFeed(card: { board: string; task: TaskId }, cursor: string | null, limit = 500) {
    return this.#dialect.read(() => cardFeedAfter(this.#dialect, card, cursor, limit))
  }

  due(now: number, limit: number) {
    return this.#dialect.read(() => agenda.dueCards(now, limit))
  }

  nextDue() {
    return this.#dialect.read(() => agenda.nextDueAt())
  }

  dueSeries(now: number, limit: number) {
    return this.#dialect.read(() => agenda.dueSeries(now, limit))
  }

  nextSeriesAt() {
    return this.#dialect.read(() => agenda.nextSeriesAt())
  }

  lanes() {
    return this.#dialect.read(() => agenda.openLanes())
  }

  laneHead(lane: Lane, limit: number, after: LanePlace | null = null): Promise<readonly Task[]> {
    return this.#select(TASK, laneHead(lane, limit, after))
  }

  laneSize(lane: Lane, most: number) {
    return this.#dialect.read(() => agenda.sizeOfLane(lane, most))
  }

  waiting(from: number, until: number, limit: number): Promise<readonly Task[]> {
    return this.#select(TASK, waitingTasks(from, until, limit))
  }

  plannableCards(board: string, now: number, limit: number) {
    return this.#dialect.read(() => agenda.plannableCards(board, now, limit))
  }

  openTournaments(limit: number) {
    return this.#select(TASK, openTournaments(limit))
  }

  recentCrashes(since: number, limit: number) {
    return this.#dialect.read(() => agenda.crashesOf(since, limit))
  }

  async nudge(): Promise<void> {
    this.#dialect.ring()
  }

  openRuns(machine: string | null): Promise<readonly Run[]> {
    const here = machine === null ? sql`` : sql`and machine = ${machine}`
    return this.#select(RUN, sql`select ${RUN.columns} from run where ended_at is null ${here} order by started_at, id`)
  }

  now(): Promise<number> {
    return this.#dialect.read(() => this.#dialect.now())
  }

  revision(): Promise<Revision> {
    const dialect = this.#dialect
    return dialect.read(function* () {
      return { id: yield* dialect.revision(), now: yield* dialect.now() }
    })
  }

  watch(onChange: () => void) {
    return this.#dialect.watch(onChange)
  }

  doctor({ fix = false } = {}) {
    return examine(this.#dialect, fix)
  }

  checkAfterBoot(bootId: string) {
    return checkAfterBoot(this.#dialect, bootId)
  }

  async exportAll(): Promise<Readonly<Record<string, readonly ExportedRow[]>>> {
    const tables: Record<string, ExportedRow[]> = {}
    await this.exportPages((table, rows) => void (tables[table] ??= []).push(...rows))
    return tables
  }

  exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void> {
    return exportPages(this.#dialect, sink)
  }

  sweepEvents(step: EventSweep): Promise<SweptEvents> {
    return step.remove ? this.#dialect.transact(() => sweepStretch(step)) : this.#dialect.read(() => sweepStretch(step))
  }

  deletedBefore(board: string, before: number) {
    return this.#dialect.read(() => cardsDeletedBefore(board, before))
  }

  unfinishedChild(board: string, parent: TaskId): Promise<TaskId | null> {
    return this.#dialect.read(() => answerFact({ fact: 'unfinished_child', parent }, board)) as Promise<TaskId | null>
  }

  workedOn(board: string, agent: string, ids: readonly TaskId[]): Promise<readonly TaskId[]> {
    const asked = this.#dialect.read(() => answerFact({ fact: 'worked_on', agent, ids }, board))
    return asked as Promise<readonly TaskId[]>
  }

  bodyWriter(board: string, task: TaskId): Promise<string | null> {
    return this.#dialect.read(() => answerFact({ fact: 'body_writer', task }, board)) as Promise<string | null>
  }

  sweepable(board: string, ids: readonly TaskId[], before: number) {
    return this.#dialect.read(() => sweepableAmong(board, ids, before))
  }

  sweepDeferred(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => deferredAmong(board, ids))
  }

  sweeping(board: string, before: number) {
    return this.#dialect.read(() => sweepingIn(board, before))
  }

  namedPlaces() {
    return this.#dialect.read(() => placesNamed())
  }

  runEnds(ids: readonly RunId[]) {
    return this.#dialect.read(() => runEnds(ids))
  }

  everKnown(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => knownAmong(board, ids))
  }

  storedPaths(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => storedPathsOf(board, ids))
  }

  recordedFiles(after: number, most: number) {
    return this.#dialect.read(() => filesAfter(after, most))
  }

  close(options?: { exiting?: boolean }): Promise<void> {
    return this.#dialect.close(options)
  }

  #select<T>(table: Table<T>, query: Sql): Promise<readonly T[]> {
    return this.#dialect.read(() => select(table, query))
  }

  #selectOne<T>(table: Table<T>, query: Sql): Promise<T | null> {
    return this.#dialect.read(() => selectOne(table, query))
  }
}
