/** The first checks of most verbs: the card exists, and the actor may change it. */
import { actorName, mayChange, opensGates } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, refuse } from '../decision.ts'
import type { Change, Decision, Refused, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import type { RunId, TaskId } from '../ids.ts'
import { isTripped } from '../moves.ts'
import type { Move } from '../moves.ts'
import type { Fence, Intent, Run } from '../run.ts'
import type { Task } from '../task.ts'

export const noTask = (id: TaskId): Refused => refuse('task_not_found', `There is no card ${id} on this board.`, { id })

/** The card, or the refusal. Only undelete and purge find cards in the trash. */
export function findTask(rows: ScopeRows, id: TaskId): Task | Refused {
  const task = rows.tasks.get(id)
  return task === undefined || task.deletedAt !== null ? noTask(id) : task
}

export function changeableTask(rows: ScopeRows, id: TaskId, actor: Actor): Task | Refused {
  const task = findTask(rows, id)
  if (isRefused(task) || mayChange(actor, task)) return task
  return refuse(
    'not_allowed',
    `A worker may change only its own card and cards it created, not ${id}: comment on that card instead.`,
    { id },
  )
}

/** Returns the card if the actor may open a human gate; otherwise a refusal. */
export function taskIfMayOpenGates(rows: ScopeRows, id: TaskId, actor: Actor): Task | Refused {
  const task = findTask(rows, id)
  if (isRefused(task) || opensGates(actor)) return task
  return refuse('not_allowed', `Only a person or an orchestrator may do this to ${id}.`, { id })
}

/**
 * Refuses verbs that would close a breaker, unless the actor is a person. This applies to agents too, even if they may
 * use the verb on other cards.
 */
export function refuseIfTripped(task: Task, actor: Actor): Refused | null {
  if (actor.kind === 'person' || !isTripped(task)) return null
  return refuse('not_allowed', `Card ${task.id} failed too often: only a person may let it continue.`, { id: task.id })
}

/**
 * Like `taskIfMayOpenGates`, but for verbs that also close the breaker, so the actor must be a person if the breaker is
 * open.
 */
export function taskIfMayCloseBreaker(rows: ScopeRows, id: TaskId, actor: Actor): Task | Refused {
  const task = taskIfMayOpenGates(rows, id, actor)
  return isRefused(task) ? task : (refuseIfTripped(task, actor) ?? task)
}

export const isRefused = (value: object): value is Refused => 'ok' in value

export const wrongStatus = (task: Task, verb: string, allowed: string): Refused =>
  refuse('wrong_status', `Card ${task.id} is ${task.status}; ${verb} works on cards that are ${allowed}.`, {
    id: task.id,
    status: task.status,
  })

export const workspaceSweeping = (id: TaskId): Refused =>
  refuse('workspace_sweeping', `The workspace of ${id} is being removed: try again in a moment.`, { id })

export const dispatcherSuperseded = (machine: string): Refused =>
  refuse('dispatcher_superseded', `Muster is already running on machine ${machine}, in another process.`, { machine })

export const parentsOpen = (task: Task, parents: readonly TaskId[], remedy: string): Refused =>
  refuse('parents_open', `Card ${task.id} waits for ${parents.join(', ')}: ${remedy}.`, { id: task.id, parents })

/**
 * Asks which card now has the idempotency key of an archived card. Archiving released the key, so another card can have
 * it.
 */
export function keyHolder({ tasks }: ScopeRows, id: TaskId) {
  const task = tasks.get(id)
  const key = task?.status === 'archived' ? task.idempotencyKey : null
  return { holder: { fact: 'by_key' as const, key } }
}

/** Removes the key from a restored card if another card has it now. */
export const dropTakenKey = (holder: Task | null): { readonly idempotencyKey?: null } =>
  holder === null ? {} : { idempotencyKey: null }

export const taskChanges = (task: Task, move: Move): { changes: Change[]; events: readonly EventDraft[] } => ({
  changes: [{ op: 'update_task', id: task.id, patch: move.patch }],
  events: move.events,
})

/** Refuses a write of a run that lost its card, and records it as an event. */
export const superseded = (
  task: Task,
  { fence, verb, content }: { fence: Pick<Fence, 'runId'>; verb: string; content: unknown },
): Refused =>
  refuse(
    'run_superseded',
    `Run ${fence.runId} no longer owns card ${task.id}: stop working on it.`,
    { id: task.id, runId: fence.runId, currentRunId: task.currentRunId },
    { events: [{ kind: 'late_result', taskId: task.id, runId: fence.runId, data: { verb, content } }] },
  )

/** Refuses a write about a card that is no longer on this board. The event records the write without a card. */
export const supersededWithoutCard = (
  id: TaskId,
  { fence, verb, content }: { fence: Pick<Fence, 'runId'>; verb: string; content: unknown },
): Refused => ({
  ...noTask(id),
  events: [{ kind: 'late_result', taskId: null, runId: fence.runId, data: { verb, content } }],
})

/** Whether the command was sent before: the card already has the run or the comment that the command would add. */
export const isRepeated = (task: Task, existing: { readonly taskId: TaskId } | null): boolean =>
  existing?.taskId === task.id

/** The card's open agent run. A person's command on it takes effect at settlement. */
export const liveRun = (rows: ScopeRows, task: Task): Run | null => {
  const run = rows.runs.get(task.id) ?? null
  return run !== null && run.kind === 'agent' ? run : null
}

/** The status of the card before its open run. */
export const statusBeforeRun = (task: Task, run: Run | null | undefined): Task['status'] =>
  run?.fromStatus ?? task.status

interface Live {
  readonly task: Task
  readonly run: Run
  readonly actor: Actor
  readonly now: number
}

const EMPTY_INTENT = {
  reason: null,
  summary: null,
  metadata: null,
  result: null,
  blockKind: null,
  scheduledAt: null,
  assignee: null,
  force: null,
  files: [],
} satisfies Omit<Intent, 'verb' | 'by' | 'at'>

/**
 * Stores a command on a live run. The settlement applies the latest one. The run's own worker must use a verdict
 * instead.
 */
export function recordIntent(
  { task, run, actor, now }: Live,
  given: Pick<Intent, 'verb'> & Partial<Intent>,
): Decision<TaskResult> {
  if (actor.kind === 'worker')
    return refuse('not_allowed', `Card ${task.id} is running: its worker ends it with a verdict.`, { id: task.id })
  const intent: Intent = { ...EMPTY_INTENT, ...given, by: actorName(actor), at: now }
  return accept(taskResult(task, 'running', { pending: true, runId: run.id }), {
    changes: [{ op: 'update_run', taskId: task.id, patch: { intent } }],
    events: [
      { kind: 'intent_recorded', taskId: task.id, runId: run.id, data: { verb: intent.verb, reason: intent.reason } },
    ],
  })
}

/** The result of most verbs on one card. If `pending` is true, the command takes effect when the live run settles. */
export interface TaskResult {
  readonly id: TaskId
  readonly status: Task['status']
  readonly pending: boolean
  readonly runId: RunId | null
}

export const taskResult = (
  task: Task,
  status: Task['status'] = task.status,
  extra: Partial<TaskResult> = {},
): TaskResult => ({
  id: task.id,
  status,
  pending: false,
  runId: null,
  ...extra,
})
