/** Complete and valid rows, ids and actors. A test passes only the fields that matter for it. */
import { freshAccount } from '../../src/core/limits/quota.ts'
import type { Account } from '../../src/core/account.ts'
import type { Actor } from '../../src/core/actor.ts'
import type { Attachment } from '../../src/core/attachment.ts'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import type { Board, BoardSettings } from '../../src/core/board.ts'
import { cardInputSchema, taskFrom } from '../../src/core/input/card-input.ts'
import type { Comment } from '../../src/core/comment.ts'
import type { AttachmentId, CommentId, RunId, SeriesId, TaskId } from '../../src/core/ids.ts'
import type { Identity, Run } from '../../src/core/run.ts'
import type { Task, Workspace } from '../../src/core/task.ts'
import { blankRun } from '../../src/core/transitions/runs.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Noon of a Tuesday, far from the boundary of a day, week or month. */
export const NOON = Date.UTC(2026, 10, 10, 12)

const padded = (name: string | number): string => String(name).padStart(10, '0')

/** Makes a readable id of the right form: `card('a')` is always the same card. */
export const card = (name: string | number): TaskId => `t_${padded(name)}` as TaskId
export const runOf = (name: string | number): RunId => `r_${padded(name)}` as RunId
export const commentOf = (name: string | number): CommentId => `c_${padded(name)}` as CommentId
export const attachmentOf = (name: string | number): AttachmentId => `a_${padded(name)}` as AttachmentId

export const seriesOf = (name: string | number): SeriesId => `s_${padded(name)}` as SeriesId

export const tokenOf = (name: string | number): string => `k_${padded(name)}`

export const person: Actor = { kind: 'person', name: 'ada' }
export const orchestrator: Actor = { kind: 'orchestrator', name: 'planner', taskId: null, runId: null }
export const clockwork: Actor = { kind: 'board', name: 'dispatcher' }
export const worker = (taskId: TaskId, runId: RunId, name = 'coder'): Actor => ({ kind: 'worker', name, taskId, runId })

export const identity = (pid = 100, machine = 'laptop'): Identity => ({
  machine,
  bootId: 'boot-1',
  pidNamespace: null,
  pid,
  startTime: String(pid * 10),
})

export const sampleBoard = (settings: Partial<BoardSettings> = {}, patch: Partial<Board> = {}): Board => ({
  slug: 'main',
  name: 'Main',
  description: '',
  settings: { ...DEFAULT_SETTINGS, ...settings },
  createdAt: NOON,
  updatedAt: NOON,
  archivedAt: null,
  ...patch,
})

export const sampleTask = (patch: Partial<Task> = {}, board: Board = sampleBoard()): Task => ({
  ...taskFrom(cardInputSchema.parse({ id: patch.id ?? card('a'), title: 'Write the parser', assignee: 'coder' }), {
    board,
    actor: person,
    now: NOON,
    parents: [],
  }),
  ...patch,
})

/** The workspace of a card that has not run. */
export const sampleWorkspace = (patch: Partial<Workspace> = {}): Workspace => ({ ...sampleTask().workspace, ...patch })

/** Makes an open agent run of a card. To close the run, pass `endedAt` and `outcome` in the patch. */
export const sampleRun = (patch: Partial<Run> = {}, task: Task = sampleTask()): Run => ({
  ...blankRun(task, { id: runOf('a'), attempt: 1, now: NOON, claimedBy: 'muster:dispatcher' }),
  machine: 'laptop',
  tokenHash: 'token',
  ...patch,
})

export const sampleComment = (patch: Partial<Comment> = {}): Comment => ({
  board: 'main',
  id: commentOf('a'),
  taskId: card('a'),
  author: 'ada',
  runId: null,
  body: 'Looks right to me.',
  createdAt: NOON,
  answerTo: null,
  ...patch,
})

export const sampleAttachment = (patch: Partial<Attachment> = {}): Attachment => ({
  board: 'main',
  id: attachmentOf('a'),
  taskId: card('a'),
  filename: 'plan.md',
  storedPath: 'a/plan.md',
  contentType: 'text/markdown',
  size: 2048,
  sha256: null,
  uploadedBy: 'ada',
  runId: null,
  createdAt: NOON,
  ...patch,
})

export const sampleAccount = (patch: Partial<Account> = {}): Account => ({ ...freshAccount('acme', NOON), ...patch })
