/** Verbs that decide when a card may start. */
import * as z from 'zod'
import { actorName, opensGates } from '../actor.ts'
import { answerField, answerReason, recordAnswer } from '../briefing/answer.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, taskId, time } from '../input/fields.ts'
import { NO_WAITS, liftBlock, scheduleMove } from '../moves.ts'
import { canPromote, readyOrTodo } from '../gates/readiness.ts'
import { verificationObstacles, verificationOf } from '../gates/verification.ts'
import type { TaskId } from '../ids.ts'
import { accepts, isReady, isSatisfied, resumesInReview } from '../status.ts'
import type { Verification } from '../swarm.ts'
import type { Task } from '../task.ts'
import { awaitsPick } from '../tournament/tournament.ts'
import {
  changeableTask,
  findTask,
  taskIfMayCloseBreaker,
  taskIfMayOpenGates,
  recordIntent,
  isRefused,
  refuseIfTripped,
  isRepeated,
  neverStarts,
  liveRun,
  parentsOpen,
  statusBeforeRun,
  taskChanges,
  taskResult,
  wrongStatus,
} from './guards.ts'
import { closeRun } from './runs.ts'

const reason = line.nullable().default(null)

/** Schedules a card. Without a time, the card waits until a person unblocks it. */
export const schedule = defineVerb({
  name: 'schedule',
  input: z.object({ task: taskId, at: time.nullable().default(null), reason }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor, now }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    const open = rows.runs.get(task.id)
    if (statusBeforeRun(task, open) === 'blocked' && !opensGates(actor))
      return refuse(
        'not_allowed',
        `Card ${task.id} is blocked: only a person or an orchestrator may let it continue.`,
        {
          id: task.id,
        },
      )
    const tripped = refuseIfTripped(task, actor)
    if (tripped) return tripped
    const live = liveRun(rows, task)
    if (live)
      return recordIntent(
        { task, run: live, actor, now },
        { verb: 'schedule', reason: input.reason, scheduledAt: input.at },
      )
    const manual = rows.runs.get(task.id)
    if (!manual && !accepts(task.status, 'schedule'))
      return wrongStatus(task, 'schedule', 'todo, ready, running, blocked or scheduled')
    const inReview = statusBeforeRun(task, manual) === 'review' || resumesInReview(task)
    const move = scheduleMove(task, { at: input.at, reason: input.reason, runId: manual?.id ?? null, inReview })
    return accept(taskResult(task, 'scheduled'), {
      changes: [
        ...(manual ? [closeRun(manual, 'stopped', now, { summary: input.reason })] : []),
        { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
      ],
      events: move.events,
    })
  },
})

/** Moves a scheduled card to ready, todo or review when its time has come. */
export const wake = defineVerb({
  name: 'wake',
  input: z.object({ task: taskId }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (task.status === 'scheduled' && task.scheduledAt !== null && task.scheduledAt <= now) {
      const status = task.resumeStatus ?? readyOrTodo(task)
      return accept(taskResult(task, status), {
        changes: [{ op: 'update_task', id: task.id, patch: { status, scheduledAt: null, resumeStatus: null } }],
        events: [
          status !== 'todo'
            ? { kind: 'promoted', taskId: task.id, data: { cause: 'schedule' } }
            : {
                kind: 'dependency_waited',
                taskId: task.id,
                data: { reason: 'its time came, but its parents are unfinished', from: 'scheduled' },
              },
        ],
      })
    }
    // The dispatcher looked at the card too early, or the wait of the card is over. An empty patch makes the store
    // compute `dueAt` again.
    return accept(taskResult(task), { changes: [{ op: 'update_task', id: task.id, patch: {} }] })
  },
})

/** Moves a waiting or blocked card to ready. The failure count is reset only if failures had stopped the card. */
export const promote = defineVerb({
  name: 'promote',
  input: z.object({ task: taskId, force: z.boolean().default(false), answer: answerField }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ rows, input: { task, answer } }) => ({
    openParents: { fact: 'open_parents' as const, child: task },
    existing: { fact: 'comment' as const, id: answer?.id ?? null },
    verification: verificationOf(rows.tasks.get(task)),
  }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isRepeated(task, facts.existing)) return accept(taskResult(task))
    if (awaitsPick(task)) return neverStarts(task)
    const verifier = verifierToWaive(task, facts)
    if (!canPromote(task) && (verifier === null || !isReady(task.status)))
      return wrongStatus(task, 'promote', 'in triage, todo or blocked')
    if (facts.openParents.length > 0 && !input.force)
      return parentsOpen(task, facts.openParents, 'wait until they finish, or use --force')
    if (!canPromote(task) && verifier !== null && !input.force)
      return parentsOpen(task, [verifier], 'it has not approved the work; use --force to start without its approval')
    const open = [...facts.openParents, ...(verifier === null || !input.force ? [] : [verifier])]
    return accept(taskResult(task, 'ready'), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: { ...liftBlock(task), ...NO_WAITS, status: 'ready' },
        },
        ...(open.length > 0
          ? [{ op: 'waive_links' as const, childId: task.id, parents: open, by: actorName(actor) }]
          : []),
        ...recordAnswer(task, input.answer, { verb: 'promote', actor, now }),
      ],
      events: [
        {
          kind: 'promoted_manual',
          taskId: task.id,
          data: { reason: answerReason(input.answer), forced: open.length > 0, waived: open },
        },
      ],
    })
  },
})

/**
 * The verifier whose approval is missing, although the dependency on it is satisfied. Null means that nothing but
 * unfinished parents holds the card back.
 */
function verifierToWaive(
  task: Task,
  { verification, openParents }: { verification: Verification | null; openParents: readonly TaskId[] },
): TaskId | null {
  const [found] = verificationObstacles({ task, verification, openParents })
  return found?.code === 'not_approved' ? (found.params.verifier?.id ?? null) : null
}

/** Keeps an unfinished card from starting. A run that is already open continues. */
export const hold = defineVerb({
  name: 'hold',
  input: z.object({ task: taskId, reason }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isSatisfied(task.status)) return wrongStatus(task, 'hold', 'unfinished')
    if (task.held) return accept(taskResult(task))
    return accept(
      taskResult(task),
      taskChanges(task, {
        patch: { held: true },
        events: [{ kind: 'held', taskId: task.id, data: { reason: input.reason } }],
      }),
    )
  },
})

export const release = defineVerb({
  name: 'release',
  input: z.object({ task: taskId }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor }) => {
    const task = taskIfMayOpenGates(rows, input.task, actor)
    if (isRefused(task)) return task
    if (!task.held) return accept(taskResult(task))
    return accept(
      taskResult(task),
      taskChanges(task, {
        patch: { held: false, ...NO_WAITS },
        events: [{ kind: 'released', taskId: task.id, data: { status: task.status } }],
      }),
    )
  },
})
