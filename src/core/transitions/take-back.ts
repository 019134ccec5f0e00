/** Takes a card back from its worker, or stops the worker. The processes end first, then the run closes. */
import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision, ScopeRows } from '../decision.ts'
import { line, name, taskId } from '../input/fields.ts'
import { FRESH_COUNTERS } from '../moves.ts'
import { restoredStatus } from '../gates/readiness.ts'
import type { Task } from '../task.ts'
import {
  taskIfMayOpenGates,
  recordIntent,
  isRefused,
  refuseIfTripped,
  liveRun,
  taskResult,
  wrongStatus,
} from './guards.ts'
import type { TaskResult } from './guards.ts'
import { closeRun } from './runs.ts'

/**
 * Makes the card ready again and resets its failure counters. The next run may be by the same agent or by another
 * agent.
 */
export const reclaim = defineVerb({
  name: 'reclaim',
  input: z.object({ task: taskId, reason: line.nullable().default(null), assignee: name.nullable().default(null) }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task: id, reason, assignee }, actor, now }) => {
    const task = taskIfMayOpenGates(rows, id, actor)
    if (isRefused(task)) return task
    return takeBack({ rows, task, actor, now }, { reason, assignee })
  },
})

interface TakeBackContext {
  readonly rows: ScopeRows
  readonly task: Task
  readonly actor: Actor
  readonly now: number
}

/** Asks an agent's run to end, or ends a manual claim at once. */
export function takeBack(
  { rows, task, actor, now }: TakeBackContext,
  { reason, assignee }: { reason: string | null; assignee: string | null },
): Decision<TaskResult> {
  const tripped = refuseIfTripped(task, actor)
  if (tripped) return tripped
  const by = actorName(actor)
  const live = liveRun(rows, task)
  if (live) return recordIntent({ task, run: live, actor, now }, { verb: 'reclaim', reason, assignee })
  const manual = rows.runs.get(task.id)
  if (!manual) return wrongStatus(task, 'reclaim', 'running')
  const status = restoredStatus(task, manual.fromStatus)
  return accept(taskResult(task, status, { runId: manual.id }), {
    changes: [
      closeRun(manual, 'reclaimed', now, { summary: reason }),
      {
        op: 'update_task',
        id: task.id,
        patch: { ...FRESH_COUNTERS, status, currentRunId: null, assignee: assignee ?? task.assignee },
      },
    ],
    events: [{ kind: 'reclaimed', taskId: task.id, runId: manual.id, data: { reason, by } }],
  })
}

/** Ends a running card and puts it on hold, so that the board does not start it again at once. */
export const stop = defineVerb({
  name: 'stop',
  input: z.object({ task: taskId, reason: line.nullable().default(null) }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task: id, reason }, actor, now }) => {
    const task = taskIfMayOpenGates(rows, id, actor)
    if (isRefused(task)) return task
    const live = liveRun(rows, task)
    const manual = rows.runs.get(task.id)
    if (!live && manual)
      return refuse(
        'wrong_status',
        `Card ${task.id} is claimed by ${manual.claimedBy}, not by an agent. To take it back: muster reclaim ${task.id}`,
        { id: task.id, status: task.status },
      )
    if (!live) return wrongStatus(task, 'stop', 'running')
    return recordIntent({ task, run: live, actor, now }, { verb: 'stop', reason })
  },
})
