/** The verbs that archive or delete a card, and the verbs that restore an archived or deleted card. */
import * as z from 'zod'
import { actorName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision, ScopeRows } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import type { TaskId } from '../ids.ts'
import { NOT_BLOCKED, archiveMove, deleteMove } from '../moves.ts'
import { restoredStatus } from '../gates/readiness.ts'
import { accepts, isArchived, isSatisfied } from '../status.ts'
import type { Task, TaskPatch } from '../task.ts'
import {
  changeableTask,
  dropTakenKey,
  taskIfMayOpenGates,
  recordIntent,
  isRefused,
  keyHolder,
  liveRun,
  noTask,
  statusBeforeRun,
  taskResult,
  workspaceSweeping,
  wrongStatus,
} from './guards.ts'
import type { TaskResult } from './guards.ts'
import { closeRun } from './runs.ts'

const input = z.object({ task: taskId, reason: line.nullable().default(null) })

/** Requests a parent whose folder is being removed. A card that returns to work reads the files of its parents. */
const sweepingParent = ({ input: { task } }: { readonly input: { readonly task: TaskId } }) => ({
  sweeping: { fact: 'sweeping_parent' as const, child: task },
})

export const archive = defineVerb({
  name: 'archive',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true }),
  decide: ({ rows, input: { task: id, reason }, actor, now }) => {
    const task = changeableTask(rows, id, actor)
    if (isRefused(task)) return task
    if (isArchived(task.status)) return wrongStatus(task, 'archive', 'not archived yet')
    return archiveCard({ rows, actor, now }, task, reason)
  },
})

/** Archives a card. An agent's run ends first, and the card is archived when that run settles. */
export function archiveCard(
  { rows, actor, now }: { readonly rows: ScopeRows; readonly actor: Actor; readonly now: number },
  task: Task,
  reason: string | null,
): Decision<TaskResult> {
  const live = liveRun(rows, task)
  if (live) return recordIntent({ task, run: live, actor, now }, { verb: 'archive', reason })
  const manual = rows.runs.get(task.id)
  const move = archiveMove(task, statusBeforeRun(task, manual), manual?.id ?? null)
  return accept(taskResult(task, 'archived'), {
    changes: [
      ...(manual ? [closeRun(manual, 'stopped', now, { summary: reason })] : []),
      { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
    ],
    events: move.events,
  })
}

export const unarchive = defineVerb({
  name: 'unarchive',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true, graph: true }),
  facts: ({ rows, input }) => ({ ...sweepingParent({ input }), ...keyHolder(rows, input.task) }),
  decide: ({ rows, facts, input: { task: id }, actor }) => {
    const task = taskIfMayOpenGates(rows, id, actor)
    if (isRefused(task)) return task
    if (!accepts(task.status, 'unarchive')) return wrongStatus(task, 'unarchive', 'archived')
    const patch = restore(task, task.archivedFrom ?? 'ready')
    const { status } = patch
    if (facts.sweeping !== null && !isSatisfied(status)) return workspaceSweeping(facts.sweeping)
    return accept(taskResult(task, status), {
      changes: [
        { op: 'update_task', id: task.id, patch: { ...patch, ...dropTakenKey(facts.holder), archivedFrom: null } },
      ],
      events: [{ kind: 'unarchived', taskId: task.id, data: { status } }],
    })
  },
})

/** The fields of a restored card. The card no longer waits for parents that have finished in the meantime. */
const restore = (task: Task, from: Task['status']): TaskPatch & Pick<Task, 'status'> => {
  const status = restoredStatus(task, from)
  return status === 'ready' ? { status, ...NOT_BLOCKED } : { status }
}

/** Moves a card to the trash. A running card is stopped first and moves to the trash when its run ends. */
export const remove = defineVerb({
  name: 'delete',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true }),
  decide: ({ rows, input: { task: id, reason }, actor, now }) => {
    const task = changeableTask(rows, id, actor)
    if (isRefused(task)) return task
    const by = actorName(actor)
    const live = liveRun(rows, task)
    if (live) {
      return recordIntent({ task, run: live, actor, now }, { verb: 'delete', reason })
    }
    const manual = rows.runs.get(task.id)
    const move = deleteMove(task, { from: statusBeforeRun(task, manual), by, now, runId: manual?.id ?? null })
    return accept(taskResult(task, move.patch.status), {
      changes: [
        ...(manual ? [closeRun(manual, 'stopped', now, { summary: reason })] : []),
        { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
      ],
      events: move.events,
    })
  },
})

export const undelete = defineVerb({
  name: 'undelete',
  input,
  scope: ({ task }) => ({ tasks: [task], movesChildren: true, graph: true }),
  facts: sweepingParent,
  decide: ({ rows, facts, input: { task: id }, actor }) => {
    const task = rows.tasks.get(id)
    if (task === undefined) return noTask(id)
    if (actor.kind === 'worker')
      return refuse('not_allowed', 'Only a person or an orchestrator may restore deleted cards.')
    if (task.deletedAt === null) return refuse('nothing_to_undo', `Card ${id} is not in the trash.`, { id })
    const patch = restore(task, task.status)
    const { status } = patch
    if (facts.sweeping !== null && !isSatisfied(status)) return workspaceSweeping(facts.sweeping)
    return accept(taskResult(task, status), {
      changes: [{ op: 'update_task', id, patch: { ...patch, deletedAt: null, deletedBy: null } }],
      events: [{ kind: 'undeleted', taskId: id, data: { status } }],
    })
  },
})

/** Removes a card from the trash for good, with its links, runs and comments. Its events stay. */
export const purge = defineVerb({
  name: 'purge',
  input: z.object({ task: taskId }),
  scope: ({ task }) => ({ tasks: [task], movesChildren: true, graph: true }),
  decide: ({ rows, board, input: { task: id }, actor, now }) => {
    const task = rows.tasks.get(id)
    if (task === undefined) return noTask(id)
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not remove cards for good.', { id })
    if (task.deletedAt === null || task.deletedAt + board.settings.trashMs > now)
      return refuse('wrong_status', `Card ${id} is not due for removal.`, { id, deletedAt: task.deletedAt })
    return accept({ id }, { changes: [{ op: 'purge_task', id }] })
  },
})
