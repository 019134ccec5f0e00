/** The one implementation of Store, over a Dialect. */
import type { Command, Outcome, OutcomeOf } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import type { BoardEvent } from '../core/event.ts'
import type { RunId, TaskId } from '../core/ids.ts'
import type { Fence, Run } from '../core/run.ts'
import type { Task } from '../core/task.ts'
import type { VerbName } from '../core/transitions/index.ts'
import { STATUSES } from '../core/vocabulary.ts'
import type { Status } from '../core/vocabulary.ts'
import type * as Rules from './decide.ts'
import { examine } from './doctor.ts'
import type { Dialect } from './dialect.ts'
import { exportTables } from './export.ts'
import { cardFeedAfter, feedAfter } from './feed.ts'
import { getMeta, setMeta } from './migrate.ts'
import { answer } from './queries/facts.ts'
import * as history from './queries/history.ts'
import * as tasks from './queries/tasks.ts'
import { ACCOUNT, ATTACHMENT, BOARD, COMMENT, DISPATCHER, EVENT, RUN, SLOT, TASK } from './rows.ts'
import type { Table } from './rows.ts'
import { EMPTY, chunks, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import { cardsById, handOffsTo, standingOf } from './standing.ts'
import type {
  Crash,
  EventSweep,
  ExportedRow,
  HeldLease,
  Lane,
  LanePlace,
  Store,
  SweptEvents,
  TaskFilter,
  TaskView,
} from './store.ts'
import { all, first } from './tx.ts'
import type { Row, Tx } from './tx.ts'
import { cardsDeletedBefore, knownAmong, pathsOf, runEnds, sweepStretch, sweepableAmong } from './upkeep.ts'

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
    // Loaded with the first decision: reading verbs never pay for the rules and their schemas.
    const { decideIn } = await (this.#rules ??= import('./decide.ts'))
    const body = await decideIn(this.#dialect, command)
    if (body instanceof Error) return { ok: false, error: body }
    const { outcome, rings } = await this.#dialect.transact(body)
    if (rings) this.#dialect.ring()
    return outcome as Outcome<never>
  }

  async renewLease(board: string, fence: Fence, { active } = { active: false }): Promise<HeldLease | null> {
    const dialect = this.#dialect
    return dialect.transact(function* () {
      const found = yield* first(sql`select ${BOARD.columns} from board where slug = ${board}`)
      const { leaseMs, staleMs } = found === null ? NO_BOARD : BOARD.decode(found).settings
      const now = yield* dialect.now()
      const leaseUntil = now + leaseMs
      const row = yield* first(renewLease(board, fence, { leaseUntil, activityAt: active ? now : null }))
      if (row === null) return null
      const { intent, lastActivityAt } = RUN.decode(row)
      return { leaseUntil, leaseMs, staleMs, intent, lastActivityAt }
    })
  }

  boards() {
    return this.#select(BOARD, sql`select ${BOARD.columns} from board order by slug`)
  }

  board(slug: string) {
    return this.#selectOne(BOARD, sql`select ${BOARD.columns} from board where slug = ${slug}`)
  }

  async task(board: string, id: TaskId, { deleted = false } = {}): Promise<TaskView | null> {
    return this.#dialect.read(function* () {
      const row = yield* first(tasks.taskById(board, id))
      if (row === null || (row.deleted_at !== null && !deleted)) return null
      return (yield* withEdges(board, [TASK.decode(row)]))[0] ?? null
    })
  }

  async tasks(board: string, filter: TaskFilter = {}): Promise<readonly TaskView[]> {
    return this.#dialect.read(function* () {
      const place = filter.after === undefined ? null : yield* first(tasks.placeOf(board, filter.after, filter.sort))
      const rows = place === null ? yield* all(tasks.tasksOf(board, filter)) : yield* pageBehind(board, filter, place)
      return yield* withEdges(
        board,
        rows.map((row) => TASK.decode(row)),
      )
    })
  }

  async tasksByPrefix(prefix: string, options: { deleted?: boolean; board?: string } = {}) {
    const rows = await this.#rows(tasks.tasksByPrefix(prefix, options))
    return rows.map((row) => ({ id: row.id as TaskId, board: String(row.board), title: String(row.title) }))
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

  comments(board: string, task: TaskId) {
    return this.#select(
      COMMENT,
      sql`select ${COMMENT.columns} from comment where board = ${board} and task_id = ${task} order by seq`,
    )
  }

  attachments(board: string, task: TaskId) {
    return this.#select(
      ATTACHMENT,
      sql`select ${ATTACHMENT.columns} from attachment where board = ${board} and task_id = ${task} order by seq`,
    )
  }

  /** The latest events of a card, oldest first. */
  async taskEvents(board: string, task: TaskId, limit = 200): Promise<readonly BoardEvent[]> {
    const rows = await this.#rows(
      sql`select ${EVENT.columns} from event where board = ${board} and task_id = ${task} order by id desc limit ${limit}`,
    )
    return rows.map((row) => EVENT.decode(row)).reverse()
  }

  openParents(board: string, task: TaskId): Promise<readonly TaskId[]> {
    return this.#dialect.read(() => answer({ fact: 'open_parents', child: task }, board)) as Promise<readonly TaskId[]>
  }

  tasksById(ids: readonly TaskId[]): Promise<readonly Task[]> {
    return this.#dialect.read(() => cardsById(ids))
  }

  handOffs(board: string, child: TaskId) {
    return this.#dialect.read(() => handOffsTo(board, child))
  }

  async recentWork(board: string, agent: string, options: { except: TaskId; limit: number }) {
    const rows = await this.#rows(history.recentWork(board, agent, options))
    return rows.map((row) => ({
      taskId: row.task_id as TaskId,
      title: String(row.title),
      summary: row.summary as string | null,
      endedAt: Number(row.ended_at),
    }))
  }

  standing(task: Pick<Task, 'board' | 'id' | 'workspace'>, place: Pick<Run, 'machine' | 'agent' | 'account'>) {
    return this.#dialect.read(() => standingOf(task, place))
  }

  async groups(board: string) {
    const rows = await this.#rows(history.groupsOf(board))
    return rows.map((row) => ({
      status: row.status as Status,
      assignee: row.assignee as string | null,
      count: Number(row.n),
      oldestAt: Number(row.oldest),
    }))
  }

  async counts(board: string): Promise<Readonly<Record<Status, number>>> {
    const rows = await this.#rows(tasks.countsOf(board))
    const found = new Map(rows.map((row) => [row.status, Number(row.n)]))
    return Object.fromEntries(STATUSES.map((status) => [status, found.get(status) ?? 0])) as Record<Status, number>
  }

  account(name: string) {
    return this.#selectOne(ACCOUNT, sql`select ${ACCOUNT.columns} from account where name = ${name}`)
  }

  accounts() {
    return this.#select(ACCOUNT, sql`select ${ACCOUNT.columns} from account order by name`)
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

  feed(cursor: string | null, limit = 500) {
    return this.#dialect.read(() => feedAfter(this.#dialect, cursor, limit))
  }

  cardFeed(card: { board: string; task: TaskId }, cursor: string | null, limit = 500) {
    return this.#dialect.read(() => cardFeedAfter(this.#dialect, card, cursor, limit))
  }

  async due(now: number, limit: number) {
    const rows = await this.#rows(tasks.dueTasks(now, limit))
    return rows.map((row) => ({
      board: String(row.board),
      id: row.id as TaskId,
      status: row.status as Status,
      dueAt: row.due_at as number | null,
      currentRunId: row.current_run_id as RunId | null,
    }))
  }

  async nextDue(): Promise<number | null> {
    const [row] = await this.#rows(tasks.nextDue())
    return (row?.due_at ?? null) as number | null
  }

  lanes(): Promise<readonly Lane[]> {
    return this.#dialect.read(function* () {
      const boards = yield* all(sql`select slug from board where archived_at is null order by slug`)
      const lanes: Lane[] = []
      for (const { slug } of boards)
        for (const phase of ['review', 'work'] as const) lanes.push(...(yield* lanesOf(String(slug), phase)))
      return lanes
    })
  }

  laneHead(lane: Lane, limit: number, after: LanePlace | null = null): Promise<readonly Task[]> {
    return this.#select(TASK, tasks.laneHead(lane, limit, after))
  }

  async laneSize(lane: Lane, most: number): Promise<number> {
    const [row] = await this.#rows(tasks.laneSize(lane, most))
    return Number(row?.size ?? 0)
  }

  waiting(from: number, until: number, limit: number): Promise<readonly Task[]> {
    return this.#select(TASK, tasks.waitingTasks(from, until, limit))
  }

  async recentCrashes(since: number, limit: number): Promise<readonly Crash[]> {
    const rows = await this.#select(RUN, history.crashesSince(since, limit))
    return rows.flatMap(({ agent, endedAt, ...run }) =>
      agent === null || endedAt === null ? [] : [{ ...run, agent, endedAt }],
    )
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

  watch(onChange: () => void) {
    return this.#dialect.watch(onChange)
  }

  doctor({ fix = false } = {}) {
    return examine(this.#dialect, fix)
  }

  /** After a boot that this store has not seen, its file is checked once; what a crash tore is found before it spreads. */
  async checkAfterBoot(bootId: string): Promise<readonly string[]> {
    const dialect = this.#dialect
    if ((await dialect.read(() => getMeta('boot_id'))) === bootId) return []
    const faults = await dialect.integrity('quick')
    if (faults.length === 0) await dialect.transact(() => setMeta('boot_id', bootId))
    return faults
  }

  async exportAll(): Promise<Readonly<Record<string, readonly ExportedRow[]>>> {
    const tables: Record<string, ExportedRow[]> = {}
    await this.exportPages((table, rows) => void (tables[table] ??= []).push(...rows))
    return tables
  }

  /** A snapshot that fails is taken again, but not once something was handed over: it would come twice. */
  exportPages(sink: (table: string, rows: readonly ExportedRow[]) => void): Promise<void> {
    let begun = false
    return this.#dialect.read(() => {
      if (begun) throw new BoardError('store_busy', 'The store was cut off while it was read: try again.')
      return exportTables((table, rows) => {
        begun = true
        sink(table, rows)
      })
    })
  }

  sweepEvents(step: EventSweep): Promise<SweptEvents> {
    return step.remove ? this.#dialect.transact(() => sweepStretch(step)) : this.#dialect.read(() => sweepStretch(step))
  }

  deletedBefore(board: string, before: number) {
    return this.#dialect.read(() => cardsDeletedBefore(board, before))
  }

  unfinishedChild(board: string, parent: TaskId): Promise<TaskId | null> {
    return this.#dialect.read(() => answer({ fact: 'unfinished_child', parent }, board)) as Promise<TaskId | null>
  }

  sweepable(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => sweepableAmong(board, ids))
  }

  runEnds(ids: readonly RunId[]) {
    return this.#dialect.read(() => runEnds(ids))
  }

  everKnown(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => knownAmong(board, ids))
  }

  storedPaths(board: string, ids: readonly TaskId[]) {
    return this.#dialect.read(() => pathsOf(board, ids))
  }

  close(options?: { exiting?: boolean }): Promise<void> {
    return this.#dialect.close(options)
  }

  #rows(query: Sql): Promise<readonly Row[]> {
    return this.#dialect.read(() => all(query))
  }

  async #select<T>(table: Table<T>, query: Sql): Promise<readonly T[]> {
    return (await this.#rows(query)).map((row) => table.decode(row))
  }

  async #selectOne<T>(table: Table<T>, query: Sql): Promise<T | null> {
    const [row] = await this.#rows(query)
    return row === undefined ? null : table.decode(row)
  }
}

const NO_BOARD = { leaseMs: 0, staleMs: 0 }

/** No row means that the run was superseded: the caller stops its agent. The normal end of a lost race. */
const renewLease = (
  board: string,
  fence: Fence,
  { leaseUntil, activityAt }: { leaseUntil: number; activityAt: number | null },
): Sql => sql`
  update run set lease_until = ${leaseUntil}${activityAt === null ? EMPTY : sql`, last_activity_at = ${activityAt}`}
  where board = ${board} and id = ${fence.runId} and token_hash = ${fence.tokenHash} and ended_at is null
  returning ${RUN.columns}`

function* lanesOf(board: string, phase: Lane['phase']): Tx<Lane[]> {
  const runners = yield* all(tasks.runnersOf(board, phase))
  const nobody = yield* first(tasks.hasUnclaimed(board, phase))
  return [...runners.map((row) => String(row.runner)), ...(nobody === null ? [] : [null])].map((agent) => ({
    board,
    agent,
    phase,
  }))
}

/** The cards behind a place in their order, as many as the filter allows. */
function* pageBehind(board: string, filter: TaskFilter, place: Row): Tx<Row[]> {
  const rows: Row[] = []
  for (const stretch of tasks.stretchesBehind(board, filter, place)) {
    const left = filter.limit === undefined ? undefined : filter.limit - rows.length
    if (left === 0) break
    rows.push(...(yield* all(stretch(left))))
  }
  return rows
}

/** Cards with the ids of their parents and children. */
function* withEdges(board: string, found: readonly Task[]): Tx<TaskView[]> {
  const views: TaskView[] = []
  for (const some of chunks(found)) {
    const chunk = some.map((task) => ({ ...task, parents: [] as TaskId[], children: [] as TaskId[] }))
    const byId = new Map<unknown, (typeof chunk)[number]>(chunk.map((view) => [view.id, view]))
    const edges = yield* all(
      tasks.edgesOf(
        board,
        chunk.map((view) => view.id),
      ),
    )
    for (const edge of edges) {
      byId.get(edge.parent_id)?.children.push(edge.child_id as TaskId)
      byId.get(edge.child_id)?.parents.push(edge.parent_id as TaskId)
    }
    views.push(...chunk)
  }
  return views
}
