/**
 * The verifier of a swarm requests changes: the workers that it names get the request and are reopened, and the verifier
 * waits for them again. At the limit, a person decides instead, so that verifier and workers do not loop forever.
 */
import type { Change } from '../../decision.ts'
import type { EventDraft } from '../../event.ts'
import type { TaskId } from '../../ids.ts'
import { attemptsReason, stopMove } from '../../limits/failure.ts'
import { failureLimit } from '../../limits/retry.ts'
import { FRESH_COUNTERS, NOT_BLOCKED, NO_WAITS, blockMove } from '../../moves.ts'
import type { Move } from '../../moves.ts'
import { readyOrTodo } from '../../gates/readiness.ts'
import type { Verdict } from '../../run.ts'
import { isArchived, isDone } from '../../status.ts'
import { SWARM_NAME } from '../../swarm.ts'
import type { Task } from '../../task.ts'
import { firstLine } from '../../text.ts'
import type { SettleContext, WorkerRow } from './settle-context.ts'

type Rejection = Extract<Verdict, { kind: 'request_changes' }>

interface RejectedWork {
  readonly move: Move
  /** The changes of the workers. They follow the change of the verifier, which is running until then. */
  readonly after: readonly Change[]
}

/** The longest request in an event. The comment and the run have the whole text. */
const EVENT_REASON = 2_000

/**
 * The workers that get the request. A person archived a worker because its work is not needed, so an archived worker
 * stays archived. Null means that the caller did not read a worker, so the request cannot be applied.
 */
export function workersAsked(
  { workers: named = [] }: Rejection,
  workers: readonly WorkerRow[],
): readonly WorkerRow[] | null {
  if (named.some((id) => !workers.some(({ task }) => task.id === id))) return null
  const asked = named.length === 0 ? workers : workers.filter(({ task }) => named.includes(task.id))
  return asked.filter(({ task }) => task.deletedAt === null && !isArchived(task.status))
}

export function rejectWork(context: SettleContext, { reason }: Rejection, asked: readonly WorkerRow[]): RejectedWork {
  const { task, run, settings, now, recentAttempts } = context
  const times = task.rejections + 1
  const limit = failureLimit(task, settings)
  const isLast = times >= limit
  if (isLast || recentAttempts >= settings.attemptsLimit) return stopped(context, { reason, times, limit, isLast })
  if (asked.length === 0) return { move: withoutWorkers(context, reason), after: [] }
  const reopened = asked.filter(({ task: { status } }) => isDone(status))
  const status = reopened.length > 0 ? ('todo' as const) : readyOrTodo(task)
  const author = `agent:${run.agent ?? ''}`
  return {
    move: {
      patch: { ...NOT_BLOCKED, ...NO_WAITS, status, rejections: times },
      events: [
        rejectedEvent(context, { reason, times, limit, workers: asked.map(({ task: { id } }) => id) }),
        ...reopened.map((worker): EventDraft => reopenedEvent(worker.task, reason)),
      ],
    },
    after: [
      ...reopened.map((worker): Change => reopenWorker(worker.task)),
      ...asked.map(({ task: { id, board }, comment }): Change => ({
        op: 'insert_comment',
        row: {
          board,
          id: comment,
          taskId: id,
          author,
          runId: run.id,
          body: reason,
          createdAt: now,
          answerTo: { verb: 'request_changes', question: null, kind: null, askedBy: null, askedAt: null },
        },
      })),
    ],
  }
}

const reopenWorker = (task: Task): Change => ({
  op: 'update_task',
  id: task.id,
  patch: { ...FRESH_COUNTERS, ...NOT_BLOCKED, status: readyOrTodo(task), completedAt: null },
})

const reopenedEvent = (task: Task, reason: string): EventDraft => ({
  kind: 'reopened',
  taskId: task.id,
  data: { from: task.status, status: readyOrTodo(task), reason: firstLine(reason, EVENT_REASON) },
})

interface Rejected {
  readonly reason: string
  readonly times: number
  readonly limit: number
  readonly workers: readonly TaskId[]
}

const rejectedEvent = ({ task, run }: SettleContext, { reason, times, limit, workers }: Rejected): EventDraft => ({
  kind: 'swarm_rejected',
  taskId: task.id,
  runId: run.id,
  data: { root: task.swarm ?? task.id, reason: firstLine(reason, EVENT_REASON), workers, times, limit },
})

/** Stops the verifier. The workers stay done, and the last request is the reason of the block. */
function stopped(
  context: SettleContext,
  { reason, times, limit, isLast }: Omit<Rejected, 'workers'> & { readonly isLast: boolean },
): RejectedWork {
  const { task, run, settings, now, recentAttempts } = context
  const stop = isLast
    ? ({ kind: 'breaker', reason, runId: run.id } as const)
    : ({ kind: 'attempts', reason: attemptsReason(recentAttempts, 'changes_requested'), runId: run.id } as const)
  const { patch, events } = stopMove(task, stop, { settings, now })
  return {
    move: {
      patch: { ...NO_WAITS, ...patch, ...(isLast ? { blockedBy: SWARM_NAME } : {}), rejections: times },
      events: [
        rejectedEvent(context, { reason, times, limit, workers: [] }),
        {
          kind: 'gave_up',
          taskId: task.id,
          runId: run.id,
          data: {
            failures: isLast ? times : recentAttempts,
            limit: isLast ? limit : settings.attemptsLimit,
            trigger: 'changes_requested',
            error: null,
          },
        },
        ...events,
      ],
    },
    after: [],
  }
}

const withoutWorkers = ({ task, run, settings, now }: SettleContext, reason: string): Move =>
  blockMove(
    task,
    {
      kind: 'needs_input',
      reason: `The verifier requested changes, and no worker of the swarm is left to make them: ${reason}`,
      by: SWARM_NAME,
    },
    { settings, now, runId: run.id, inReview: false },
  )
