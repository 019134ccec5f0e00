/** The rules for the goal of a card, when the card is created, edited or finished. */
import { refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import type { Actor } from '../actor.ts'
import { goalOf } from '../goal.ts'
import type { Task, TaskPatch } from '../task.ts'

/** A goal that its checks decide needs at least one check. */
const refuseUnchecked = ({ id }: Task, { goal, checks }: Pick<Task, 'goal' | 'checks'>): Refused | null =>
  goalOf({ goal })?.judge !== 'checks' || checks.length > 0
    ? null
    : refuse(
        'invalid_input',
        `Card ${id} has no checks that could judge its goal: add --check, or use --judge model.`,
        {
          id,
          field: 'goal',
        },
      )

/** Refuses an edit that the goal of the card does not allow. */
export const refuseGoalEdit = (task: Task, actor: Actor, patch: TaskPatch): Refused | null =>
  refuseOwnGoal(task, actor, patch) ??
  refuseLateGoal(task, patch) ??
  refuseFewTurns(task, patch) ??
  (patch.goal === undefined && patch.checks === undefined ? null : refuseUnchecked(task, { ...task, ...patch }))

/** A judge compares the work with the title and the body, so the worker may not change them. */
function refuseOwnGoal({ id, goal }: Task, actor: Actor, patch: TaskPatch): Refused | null {
  if (actor.kind !== 'worker' || actor.taskId !== id) return null
  const changesTask = patch.title !== undefined || patch.body !== undefined
  return patch.goal !== undefined || (goal !== null && changesTask)
    ? refuse('not_allowed', `A worker may not change the goal by which its own work on ${id} is judged.`, { id })
    : null
}

/** A run knows from its start whether a judge decides about it, so a running card cannot get a goal. */
const refuseLateGoal = ({ id, goal, status }: Task, patch: TaskPatch): Refused | null =>
  patch.goal != null && goal === null && status === 'running'
    ? refuse('run_live', `Card ${id} is running without a goal: reclaim it first.`, { id })
    : null

function refuseFewTurns({ id, goal, goalTurns }: Task, patch: TaskPatch): Refused | null {
  const wanted = patch.goal == null ? null : goalOf({ goal: patch.goal })
  if (goal === null || wanted === null || goalTurns === 0 || wanted.maxTurns > goalTurns) return null
  if (wanted.maxTurns === goalOf({ goal })?.maxTurns) return null
  return refuse('invalid_input', `Card ${id} has already used ${goalTurns} turns: allow more, or remove its goal.`, {
    id,
    field: 'goal',
    turns: goalTurns,
  })
}

/** Only the judge of a card or a person may finish a card with a goal, not another agent. */
export const refuseUnjudged = ({ id, goal }: Task, actor: Actor): Refused | null =>
  goal === null || actor.kind === 'person'
    ? null
    : refuse('not_allowed', `Card ${id} works towards a goal: only its judge or a person may finish it.`, { id })
