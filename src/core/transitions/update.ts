import * as z from 'zod'
import { defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { restoredStatus } from '../gates/readiness.ts'
import { line, name, taskId, time } from '../input/fields.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'
import { decideSteps, factsOfSteps, stepOf } from './decide-steps.ts'
import type { Step } from './decide-steps.ts'
import { amend, assign, edit, edits } from './edit.ts'
import { changeableTask, isRefused, statusBeforeRun, wrongStatus } from './guards.ts'
import { handOffFields, otherStatus, statusChange, stepToStatus, takesHandOff } from './reach-status.ts'
import type { StatusChange } from './reach-status.ts'

const input = z.object({
  task: taskId,
  set: edits.default({}),
  resetFailures: z.boolean().default(false),
  clearClaim: z.boolean().default(false),
  /** The id of this machine, if the card starts again without its files. */
  freshFrom: line.nullable().default(null),
  /** The new assignee. If this is undefined, the assignee stays. Null unassigns the card. */
  assignee: name.nullable().optional(),
  handOff: handOffFields.nullable().default(null),
  to: statusChange.nullable().default(null),
  /** The `updatedAt` that the caller read. The update is refused if the card has changed since then. */
  unchangedSince: time.nullable().default(null),
})
type Input = z.infer<typeof input>

/**
 * Changes the fields, the assignee, the result and the status of a card in one decision. If one of the changes would be
 * refused, the whole update is refused.
 */
export const update = defineVerb({
  name: 'update',
  input,
  scope: ({ task, to }) => ({
    tasks: [task],
    board: 'read' as const,
    // Some changes of status finish or reopen the card, so its children stop or start waiting.
    ...(to === null ? {} : { movesChildren: true, graph: true }),
  }),
  facts: ({ input: given, ...known }) => {
    const task = known.rows.tasks.get(given.task)
    const steps = task === undefined ? [] : stepsOf(given, task, known.rows.runs.get(task.id) ?? null)
    return isRefused(steps) ? {} : factsOfSteps(steps, known)
  },
  decide: ({ input: given, ...context }) => {
    const { rows, actor } = context
    const task = changeableTask(rows, given.task, actor)
    if (isRefused(task)) return task
    if (given.unchangedSince !== null && given.unchangedSince !== task.updatedAt) return cardChanged(task)
    const steps = stepsOf(given, task, rows.runs.get(task.id) ?? null)
    if (isRefused(steps)) return steps
    const decision = decideSteps(steps, task, context)
    if (!decision.ok || given.to === null || decision.result.pending) return decision
    const [{ status: is }, { status: wanted }] = [decision.result, given.to]
    return is === wanted ? decision : otherStatus(task, { is, wanted })
  },
})

const cardChanged = ({ id, updatedAt }: Pick<Task, 'id' | 'updatedAt'>): Refused =>
  refuse('card_changed', `Card ${id} has changed since you read it: read it again.`, { id, updatedAt })

/** The status changes last, because it may end the run and because only its verb needs facts. */
function stepsOf(given: Input, task: Task, run: Run | null): readonly Step[] | Refused {
  const { task: id, set, resetFailures, clearClaim, freshFrom, assignee, handOff, to } = given
  const isEdited = Object.keys(set).length > 0 || resetFailures || clearClaim || freshFrom !== null
  const amends = handOff !== null && !takesHandOff(task, to, handOff)
  if (amends && to !== null && to.files.length > 0) return wrongStatus(task, 'adding result files', 'not finished yet')
  const moves =
    to === null ? null : clearClaim ? refuseAfterClaim(task, run, to) : stepToStatus({ task, run, to, handOff })
  if (moves !== null && isRefused(moves)) return moves
  return [
    ...(amends ? [stepOf(amend, { task: id, ...handOff })] : []),
    ...(isEdited ? [stepOf(edit, { task: id, set, resetFailures, clearClaim, freshFrom })] : []),
    ...(assignee === undefined ? [] : [stepOf(assign, { task: id, assignee })]),
    ...(moves === null ? [] : [moves]),
  ]
}

/** Refuses the update if the card would not have the wanted status after it is taken from its worker. */
function refuseAfterClaim(
  task: Task,
  run: Run | null,
  { status: wanted }: Pick<StatusChange, 'status'>,
): Refused | null {
  const is = restoredStatus(task, statusBeforeRun(task, run))
  return is === wanted ? null : otherStatus(task, { is, wanted })
}
