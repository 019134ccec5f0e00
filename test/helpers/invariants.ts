/**
 * Checks every data invariant of the board on plain rows. The property tests, the contract suites of both engines and
 * the chaos test call these checks. They count everything again from the rows, need no store, and share with core only
 * the predicates that define a derived column.
 */
import type { Board } from '../../src/core/board.ts'
import { boardSchema } from '../../src/core/board.ts'
import { nextLook, rankOf } from '../../src/core/limits/deadlines.ts'
import type { BoardEvent } from '../../src/core/event.ts'
import { goalOf } from '../../src/core/goal.ts'
import type { Link } from '../../src/core/link.ts'
import { linkSchema } from '../../src/core/link.ts'
import { gates } from '../../src/core/gates/readiness.ts'
import type { Run } from '../../src/core/run.ts'
import { runSchema } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { taskSchema } from '../../src/core/task.ts'

export interface BoardState {
  readonly boards: readonly Board[]
  readonly tasks: readonly Task[]
  readonly runs: readonly Run[]
  readonly links: readonly Link[]
  /** The events in the order of the feed. */
  readonly events: readonly BoardEvent[]
  /** The time by the store's clock when the rows were read. */
  readonly now: number
}

/** Returns one sentence for every violated invariant. */
export function violations(state: BoardState): string[] {
  const index = indexed(state)
  return [
    ...state.tasks.flatMap((task) => [
      ...runningFaults(task, index),
      ...gateFaults(task, index),
      ...blockFaults(task),
      ...pairFaults(task),
      ...goalFaults(task),
      ...derivedFaults(task, index, state.now),
    ]),
    ...state.runs.flatMap((run) => runFaults(run, index)),
    ...attemptFaults(state.runs),
    ...state.links.flatMap((link) => linkFaults(link, index)),
    ...cycleFaults(state.links),
    ...eventFaults(state, index),
    ...repeated(
      state.tasks.map((task) => task.id),
      'card id',
    ),
    ...repeated(
      state.runs.map((run) => run.id),
      'run id',
    ),
    ...repeated(
      state.tasks.flatMap((task) => (task.idempotencyKey === null ? [] : [`${task.board} ${task.idempotencyKey}`])),
      'idempotency key',
    ),
  ]
}

/** Returns the rows that do not match their schema. This check is slow, so a test makes it only at its end. */
export function malformed({ boards, tasks, runs, links }: BoardState): string[] {
  const faults = (name: string, schema: typeof taskSchema, row: unknown): string[] => {
    const parsed = schema.safeParse(row)
    return parsed.success ? [] : parsed.error.issues.map((issue) => `${name}: ${issue.path.join('.')} ${issue.message}`)
  }
  const like = (schema: unknown): typeof taskSchema => schema as typeof taskSchema
  return [
    ...boards.flatMap((row) => faults(`board ${row.slug}`, like(boardSchema), row)),
    ...tasks.flatMap((row) => faults(`card ${row.id}`, taskSchema, row)),
    ...runs.flatMap((row) => faults(`run ${row.id}`, like(runSchema), row)),
    ...links.flatMap((row) => faults(`link ${row.parentId} → ${row.childId}`, like(linkSchema), row)),
  ]
}

interface Index {
  readonly boards: ReadonlyMap<string, Board>
  readonly tasks: ReadonlyMap<string, Task>
  readonly openRuns: ReadonlyMap<string, readonly Run[]>
  readonly parents: ReadonlyMap<string, readonly Link[]>
}

const indexed = ({ boards, tasks, runs, links }: BoardState): Index => ({
  boards: new Map(boards.map((board) => [board.slug, board])),
  tasks: new Map(tasks.map((task) => [task.id, task])),
  openRuns: grouped(
    runs.filter((run) => run.endedAt === null),
    (run) => run.taskId,
  ),
  parents: grouped(links, (link) => link.childId),
})

function grouped<R>(rows: readonly R[], by: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(by(row))
    if (group) group.push(row)
    else groups.set(by(row), [row])
  }
  return groups
}

const when = (fault: boolean, sentence: string): string[] => (fault ? [sentence] : [])

/**
 * Finds violations of this rule: a card is running if and only if it has exactly one open run, and `currentRunId` is
 * the id of that run.
 */
function runningFaults(task: Task, { openRuns }: Index): string[] {
  const open = openRuns.get(task.id) ?? []
  const isRunning = task.status === 'running'
  return [
    ...when(open.length > 1, `${task.id} has ${open.length} open runs`),
    ...when(isRunning && open.length === 0, `${task.id} is running without an open run`),
    ...when(!isRunning && open.length > 0, `${task.id} is ${task.status} with the open run ${open[0]?.id}`),
    ...when(isRunning && task.currentRunId === null, `${task.id} is running without a current run`),
    ...when(!isRunning && task.currentRunId !== null, `${task.id} is ${task.status} with a current run`),
    ...when(
      task.currentRunId !== null && open.length === 1 && open[0]?.id !== task.currentRunId,
      `${task.id} points at ${task.currentRunId}, its open run is ${open[0]?.id}`,
    ),
    ...when(isRunning && task.deletedAt !== null, `${task.id} is running in the trash`),
  ]
}

function gateFaults(task: Task, { tasks, parents }: Index): string[] {
  const counted = (parents.get(task.id) ?? []).filter((link) => {
    const parent = tasks.get(link.parentId)
    return link.waivedBy === null && parent !== undefined && gates(parent)
  }).length
  const isLive = task.deletedAt === null
  return [
    ...when(task.openParents !== counted, `${task.id} counts ${task.openParents} open parents instead of ${counted}`),
    ...when(
      isLive && task.status === 'todo' && counted === 0 && task.tournament === null,
      `${task.id} is todo without an open parent`,
    ),
    ...when(isLive && task.status === 'ready' && task.tournament !== null, `${task.id} is ready with a tournament`),
    ...when(isLive && task.status === 'ready' && counted > 0, `${task.id} is ready with ${counted} open parents`),
  ]
}

function blockFaults(task: Task): string[] {
  const { id, status, blockKind } = task
  /** An archived, deleted or running card keeps its open breaker. */
  const isAside = status === 'archived' || status === 'running' || task.deletedAt !== null
  return [
    ...when(status === 'blocked' && blockKind === null, `${id} is blocked without a kind`),
    ...when((blockKind === null) !== (task.blockReason === null), `${id} has half a block: ${blockKind}`),
    ...when(
      status === 'ready' && task.deletedAt === null && blockKind !== null,
      `${id} is ready with a ${blockKind} block`,
    ),
    ...when(
      status === 'todo' && blockKind !== null && blockKind !== 'dependency',
      `${id} is todo with a ${blockKind} block`,
    ),
    ...when(
      task.breakerOpen && !['blocked', 'triage', 'review'].includes(status) && !isAside,
      `the breaker of ${id} is open though it is ${status}`,
    ),
    ...when(
      task.breakerOpen && blockKind !== null && blockKind !== 'breaker' && blockKind !== 'attempts',
      `the breaker of ${id} is open, blocked as ${blockKind}`,
    ),
  ]
}

/** A goal never uses more turns than it has. */
function goalFaults(task: Task): string[] {
  const goal = goalOf(task)
  return goal === null
    ? when(task.goalTurns > 0, `${task.id} has no goal and has used ${task.goalTurns} turns`)
    : when(task.goalTurns > goal.maxTurns, `${task.id} has used ${task.goalTurns} of ${goal.maxTurns} turns`)
}

/** Finds values that must be set together but are not. */
function pairFaults(task: Task): string[] {
  const finished = task.status === 'done' || (task.status === 'archived' && task.archivedFrom === 'done')
  const pairs = [
    ['cooldownUntil and cooldownReason', task.cooldownUntil === null, task.cooldownReason === null],
    ['guardUntil and guardReason', task.guardUntil === null, task.guardReason === null],
    ['deletedAt and deletedBy', task.deletedAt === null, task.deletedBy === null],
    ['archived and archivedFrom', task.status !== 'archived', task.archivedFrom === null],
    ['done and completedAt', !finished, task.completedAt === null],
    ['blockKind and blockedBy', task.blockKind === null, task.blockedBy === null],
  ] as const
  return pairs.flatMap(([what, one, other]) => when(one !== other, `${task.id}: ${what} do not agree`))
}

function derivedFaults(task: Task, { boards, openRuns }: Index, now: number): string[] {
  const board = boards.get(task.board)
  if (board === undefined) return [`${task.id} is on a board that does not exist (${task.board})`]
  const look = nextLook(task, openRuns.get(task.id)?.[0] ?? null, now)
  const isLate = look !== null && (task.dueAt === null || task.dueAt > look)
  const rank = rankOf(task, board)
  return [
    ...when(isLate, `${task.id} is due ${task.dueAt}, after its deadline ${look}`),
    ...when(task.rank !== rank, `${task.id} has rank ${task.rank}, not ${rank}`),
  ]
}

function runFaults(run: Run, { tasks }: Index): string[] {
  const task = tasks.get(run.taskId)
  return [
    ...when(task === undefined, `${run.id} belongs to no card`),
    ...when(task !== undefined && task.board !== run.board, `${run.id} is on another board than ${run.taskId}`),
    ...when(
      (run.endedAt === null) !== (run.outcome === null),
      `${run.id} ended ${run.endedAt} with outcome ${run.outcome}`,
    ),
    ...when(run.endedAt !== null && run.endedAt < run.startedAt, `${run.id} ended before it started`),
    ...when((run.verdict === null) !== (run.verdictAt === null), `${run.id} has half a verdict`),
    ...when(
      run.endedAt === null && run.kind === 'agent' && (run.tokenHash === null || run.leaseUntil === null),
      `${run.id} is an open agent run without a token or a lease`,
    ),
    ...when(run.kind === 'manual' && run.leaseUntil !== null, `${run.id} is a person's run with a lease`),
  ]
}

/** Finds violations of this rule: the attempts of a card are numbered from 1 without gaps or repeats. */
const attemptFaults = (runs: readonly Run[]): string[] =>
  [...grouped(runs, (run) => run.taskId)].flatMap(([id, group]) => {
    const ordered = [...group].sort((a, b) => a.attempt - b.attempt)
    return ordered.flatMap((run, at) =>
      when(run.attempt !== at + 1, `${run.id} of ${id} is attempt ${run.attempt}, not ${at + 1}`),
    )
  })

function linkFaults(link: Link, { tasks }: Index): string[] {
  const name = `link ${link.parentId} → ${link.childId}`
  const ends = [tasks.get(link.parentId), tasks.get(link.childId)]
  return [
    ...when(ends.includes(undefined), `${name} has a missing end`),
    ...when(
      ends.some((task) => task !== undefined && task.board !== link.board),
      `${name} crosses boards`,
    ),
    ...when((link.waivedBy === null) !== (link.waivedAt === null), `${name} has half a waiver`),
  ]
}

/** Removes cards without open parents until no such card is left. The remaining cards form cycles. */
function cycleFaults(links: readonly Link[]): string[] {
  let left = [...links]
  for (;;) {
    const children = new Set(left.map((link) => link.childId))
    const next = left.filter((link) => children.has(link.parentId))
    if (next.length === left.length) break
    left = next
  }
  return left.length === 0 ? [] : [`links in a cycle: ${left.map((l) => `${l.parentId} → ${l.childId}`).join(', ')}`]
}

function eventFaults({ events }: BoardState, { boards, tasks }: Index): string[] {
  const removed = new Set(events.filter(({ kind }) => kind === 'board_deleted').map(({ board }) => board))
  return events.flatMap((event, at) => {
    const before = events[at - 1]
    const task = event.taskId === null ? undefined : tasks.get(event.taskId)
    return [
      ...when(before !== undefined && event.id <= before.id, `event ${event.id} comes after ${before?.id}`),
      ...when(
        !boards.has(event.board) && !removed.has(event.board),
        `event ${event.id} is on a board that does not exist (${event.board})`,
      ),
      ...when(
        task !== undefined && task.board !== event.board && event.createdAt >= task.createdAt,
        `event ${event.id} is on another board than ${event.taskId}`,
      ),
    ]
  })
}

function repeated(ids: readonly string[], what: string): string[] {
  const seen = new Set<string>()
  return ids.flatMap((id) => {
    if (seen.has(id)) return [`${what} ${id} exists twice`]
    seen.add(id)
    return []
  })
}
