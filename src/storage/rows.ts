/** Row ↔ domain value: the only place where snake_case meets camelCase. No schema library: read paths end here. */
import type { Account } from '../core/account.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Board } from '../core/board.ts'
import type { Comment } from '../core/comment.ts'
import type { Dispatcher } from '../core/dispatcher.ts'
import type { BoardEvent } from '../core/event.ts'
import type { Link } from '../core/link.ts'
import type { Run } from '../core/run.ts'
import type { Slot } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { raw } from './sql.ts'
import type { Sql, SqlValue } from './sql.ts'
import type { Row } from './tx.ts'

type Codec = 'plain' | 'boolean' | 'json'

export interface Table<T> {
  readonly name: string
  /** Every column, for `select`. */
  readonly columns: Sql
  readonly columnNames: readonly string[]
  decode(row: Row): T
  /** The columns and stored values of some fields of a row. */
  encode(fields: Partial<T>): [column: string, value: SqlValue][]
}

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function store(value: unknown, codec: Codec): SqlValue {
  if (value === null || value === undefined) return null
  if (codec === 'json') return JSON.stringify(value)
  if (codec === 'boolean') return value === true ? 1 : 0
  return value as SqlValue
}

function load(value: SqlValue | undefined, codec: Codec): unknown {
  if (value === null || value === undefined) return null
  if (codec === 'json') return JSON.parse(String(value))
  if (codec === 'boolean') return value === 1
  return value
}

/** A table whose columns carry its fields one to one. `plain` lists the fields; the other two say how the rest is kept. */
function table<T>(name: string, fields: Readonly<Record<keyof T & string, Codec>>): Table<T> {
  const entries = Object.entries(fields) as [keyof T & string, Codec][]
  const columnNames = entries.map(([key]) => snake(key))
  const codecs = new Map<string, readonly [string, Codec]>(entries.map(([key, codec]) => [key, [snake(key), codec]]))
  return {
    name,
    columnNames,
    columns: raw(columnNames.join(', ')),
    decode(row) {
      const value: Record<string, unknown> = {}
      for (const [key, [column, codec]] of codecs) value[key] = load(row[column], codec)
      return value as T
    },
    encode: (partial) =>
      Object.entries(partial).flatMap(([key, value]): [string, SqlValue][] => {
        const known = codecs.get(key)
        if (known === undefined) throw new TypeError(`${name} has no column for ${key}`)
        return value === undefined ? [] : [[known[0], store(value, known[1])]]
      }),
  }
}

export const BOARD = table<Board>('board', {
  slug: 'plain',
  name: 'plain',
  description: 'plain',
  settings: 'json',
  createdAt: 'plain',
  updatedAt: 'plain',
  archivedAt: 'plain',
})

type FlatTask = Omit<Task, 'workspace'> & {
  workspaceKind: Task['workspace']['kind']
  workspacePath: string | null
  workspaceRepo: string | null
  workspaceState: Task['workspace']['state']
}

const FLAT_TASK = table<FlatTask>('task', {
  board: 'plain',
  id: 'plain',
  title: 'plain',
  body: 'plain',
  status: 'plain',
  assignee: 'plain',
  priority: 'plain',
  tenant: 'plain',
  session: 'plain',
  workflow: 'plain',
  step: 'plain',
  createdBy: 'plain',
  createdByRun: 'plain',
  idempotencyKey: 'plain',
  workspaceKind: 'plain',
  workspacePath: 'plain',
  workspaceRepo: 'plain',
  workspaceState: 'plain',
  branch: 'plain',
  skills: 'json',
  model: 'plain',
  provider: 'plain',
  effort: 'plain',
  reviewer: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  startedAt: 'plain',
  completedAt: 'plain',
  scheduledAt: 'plain',
  currentRunId: 'plain',
  consecutiveFailures: 'plain',
  protocolViolations: 'plain',
  reviewFailures: 'plain',
  rateLimits: 'plain',
  lastError: 'plain',
  breakerOpen: 'boolean',
  attemptsSince: 'plain',
  blockKind: 'plain',
  blockReason: 'plain',
  blockedBy: 'plain',
  recentBlocks: 'json',
  resumeStatus: 'plain',
  held: 'boolean',
  openParents: 'plain',
  cooldownUntil: 'plain',
  cooldownReason: 'plain',
  guardUntil: 'plain',
  guardReason: 'plain',
  pullRequestAt: 'plain',
  commandsApproved: 'boolean',
  dueAt: 'plain',
  rank: 'plain',
  maxRuntimeMs: 'plain',
  maxRetries: 'plain',
  goal: 'json',
  checks: 'json',
  result: 'plain',
  metadata: 'json',
  archivedFrom: 'plain',
  deletedAt: 'plain',
  deletedBy: 'plain',
})

/** A workspace is four columns, so that its path and state can be asked for in SQL. */
export const TASK: Table<Task> = {
  name: FLAT_TASK.name,
  columns: FLAT_TASK.columns,
  columnNames: FLAT_TASK.columnNames,
  decode(row) {
    const { workspaceKind, workspacePath, workspaceRepo, workspaceState, ...task } = FLAT_TASK.decode(row)
    return {
      ...task,
      workspace: { kind: workspaceKind, path: workspacePath, repo: workspaceRepo, state: workspaceState },
    }
  },
  encode({ workspace, ...fields }) {
    return FLAT_TASK.encode({
      ...fields,
      ...(workspace === undefined
        ? {}
        : {
            workspaceKind: workspace.kind,
            workspacePath: workspace.path,
            workspaceRepo: workspace.repo,
            workspaceState: workspace.state,
          }),
    })
  },
}

export const RUN = table<Run>('run', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  attempt: 'plain',
  phase: 'plain',
  kind: 'plain',
  agent: 'plain',
  account: 'plain',
  machine: 'plain',
  fromStatus: 'plain',
  tokenHash: 'plain',
  claimedBy: 'plain',
  dispatcher: 'json',
  identity: 'json',
  startedAt: 'plain',
  startDeadlineAt: 'plain',
  registeredAt: 'plain',
  leaseUntil: 'plain',
  lastActivityAt: 'plain',
  note: 'plain',
  maxRuntimeMs: 'plain',
  terminatingAt: 'plain',
  terminatingReason: 'plain',
  parentReopenedAt: 'plain',
  probe: 'boolean',
  verdict: 'json',
  verdictAt: 'plain',
  checks: 'json',
  intent: 'json',
  endedAt: 'plain',
  outcome: 'plain',
  summary: 'plain',
  metadata: 'json',
  error: 'plain',
  exitCode: 'plain',
  signal: 'plain',
  usage: 'json',
  logPath: 'plain',
  socketPath: 'plain',
  libVersion: 'plain',
})

export const LINK = table<Link>('link', {
  board: 'plain',
  parentId: 'plain',
  childId: 'plain',
  createdAt: 'plain',
  waivedBy: 'plain',
  waivedAt: 'plain',
})

export const COMMENT = table<Comment>('comment', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  author: 'plain',
  runId: 'plain',
  body: 'plain',
  createdAt: 'plain',
})

export const ATTACHMENT = table<Attachment>('attachment', {
  board: 'plain',
  id: 'plain',
  taskId: 'plain',
  filename: 'plain',
  storedPath: 'plain',
  contentType: 'plain',
  size: 'plain',
  sha256: 'plain',
  uploadedBy: 'plain',
  runId: 'plain',
  createdAt: 'plain',
})

export const EVENT = table<BoardEvent>('event', {
  id: 'plain',
  board: 'plain',
  kind: 'plain',
  taskId: 'plain',
  runId: 'plain',
  actor: 'plain',
  createdAt: 'plain',
  data: 'json',
})

export const SLOT = table<Slot>('slot', {
  kind: 'plain',
  name: 'plain',
  pausedAt: 'plain',
  pausedBy: 'plain',
  pauseReason: 'plain',
})

export const ACCOUNT = table<Account>('account', {
  name: 'plain',
  pauseCause: 'plain',
  pausedUntil: 'plain',
  pausedBy: 'plain',
  pauseReason: 'plain',
  strikes: 'plain',
  reopenedAt: 'plain',
  probeRunId: 'plain',
  updatedAt: 'plain',
})

export const DISPATCHER = table<Dispatcher>('dispatcher', {
  machine: 'plain',
  tokenHash: 'plain',
  identity: 'json',
  since: 'plain',
  leaseUntil: 'plain',
})
