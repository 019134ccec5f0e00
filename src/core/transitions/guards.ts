/** The first checks of most verbs: whether the card exists, and whether the actor may change it. */
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

/**
 * Returns the card, or a refusal if it does not exist. Only the verbs `undelete` and `purge` find cards in the trash.
 */
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

/** Returns the card, or a refusal if the actor is not a person or an orchestrator. */
export function taskIfMayOpenGates(rows: ScopeRows, id: TaskId, actor: Actor): Task | Refused {
  const task = findTask(rows, id)
  if (isRefused(task) || opensGates(actor)) return task
  return refuse('not_allowed', `Only a person or an orchestrator may do this to ${id}.`, { id })
}

/**
 * Refuses a command that would let a card continue after the board stopped the card at a limit. Only a person may send
 * such a command.
 */
export function refuseIfTripped(task: Task, actor: Actor): Refused | null {
  if (actor.kind === 'person' || !isTripped(task)) return null
  const why = task.blockKind === 'budget' ? 'used all turns of its goal' : 'failed too often'
  return refuse('not_allowed', `Card ${task.id} ${why}: only a person may let it continue.`, { id: task.id })
}

/** Like `taskIfMayOpenGates`, but only a person may change a card that the board stopped at a limit. */
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

/** A tournament never starts, and only a pick gives it a result. */
export const neverStarts = ({ id, status }: Task): Refused =>
  refuse('wrong_status', `Card ${id} is a tournament and never starts: run muster pick ${id} <entry>.`, { id, status })

/**
 * Requests the card that now has the idempotency key of an archived card. Archiving freed the key, so another card may
 * have it.
 */
export function keyHolder({ tasks }: ScopeRows, id: TaskId) {
  const task = tasks.get(id)
  const key = task?.status === 'archived' ? task.idempotencyKey : null
  return { holder: { fact: 'by_key' as const, key } }
}

/** The patch that removes the key from a restored card, if another card has the key now. */
export const dropTakenKey = (holder: Task | null): { readonly idempotencyKey?: null } =>
  holder === null ? {} : { idempotencyKey: null }

export const taskChanges = (task: Task, move: Move): { changes: Change[]; events: readonly EventDraft[] } => ({
  changes: [{ op: 'update_task', id: task.id, patch: move.patch }],
  events: move.events,
})

/** Refuses a change by a run that no longer owns the card, and records the refused change as an event. */
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

/** Refuses a change of a card that is no longer on this board. The event about the refused change names no card. */
export const supersededWithoutCard = (
  id: TaskId,
  { fence, verb, content }: { fence: Pick<Fence, 'runId'>; verb: string; content: unknown },
): Refused => ({
  ...noTask(id),
  events: [{ kind: 'late_result', taskId: null, runId: fence.runId, data: { verb, content } }],
})

/**
 * Whether the caller has sent the command before. In that case, the card already has the run or the comment that the
 * command would add.
 */
export const isRepeated = (task: Task, existing: { readonly taskId: TaskId } | null): boolean =>
  existing?.taskId === task.id

/** Returns the card's open run of an agent. A command of a person on this card takes effect when the run ends. */
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
 * Stores the command of a person on a running card. When the run ends, the latest command applies. The worker of the
 * run may not use such commands; it reports a verdict.
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

/** The result of most verbs on one card. If `pending` is true, the command takes effect when the open run ends. */
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
