import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { areTurnsSpent, isJudgedRun } from '../goal.ts'
import { count, taskId } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import type { RunPatch } from '../run.ts'
import { TURN_CAUSES, describeTurn } from '../briefing/turns.ts'
import { ownedRun } from './owned-run.ts'
import type { OwnedRun } from './owned-run.ts'

/**
 * Starts another turn of a run after the processes of the last turn are gone. If a person gave a command that ends the
 * run, no turn starts. The supervisor marked the run as terminating before it ended the processes, and `next_turn`
 * removes the mark.
 */
export const nextTurn = defineVerb({
  name: 'next_turn',
  input: z.object({
    task: taskId,
    fence: fenceSchema,
    turn: z.int().min(2),
    cause: z.enum(TURN_CAUSES),
    left: count,
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, now }) => {
    const found = ownedRun(rows, input, { verb: 'next_turn', content: null })
    // The request has no content worth recording, so the refusal writes no event.
    if ('ok' in found) return { ...found, events: [] }
    const { task, run } = found
    const { turn, cause, left } = input
    if (run.intent !== null)
      return refuse('pending', `Run ${run.id} is being ended: ${run.intent.by} asked for ${run.intent.verb}.`, {
        id: task.id,
        runId: run.id,
      })
    const refused = refuseGoalTurn(found)
    if (refused) return refused
    return accept(
      { runId: run.id },
      {
        changes: [
          {
            op: 'update_run',
            taskId: task.id,
            patch: { terminatingAt: null, terminatingReason: null, lastActivityAt: now, ...goalAfter(found, cause) },
          },
        ],
        events: [
          {
            kind: 'turn_started',
            taskId: task.id,
            runId: run.id,
            data: { turn, cause, reason: describeTurn(turn, { cause, left }) },
          },
        ],
      },
    )
  },
})

/** No turn starts after the goal has used all of its turns, or after the judge stopped the work. */
function refuseGoalTurn({ task, run }: OwnedRun): Refused | null {
  if (!isJudgedRun(task, run)) return null
  const details = { id: task.id, runId: run.id }
  if (run.goal?.stop != null)
    return refuse('wrong_status', `The judge ended the work of run ${run.id}: ${run.goal.stop.reason}`, details)
  return areTurnsSpent(task)
    ? refuse(
        'wrong_status',
        `Card ${task.id} has used all turns of its goal, so run ${run.id} gets no further turn.`,
        details,
      )
    : null
}

/**
 * The agent may change the work in the new turn, so the judge decides again. Each turn may try the checks the full
 * number of times, because the number of turns is limited.
 */
function goalAfter({ task, run }: OwnedRun, cause: (typeof TURN_CAUSES)[number]): RunPatch {
  if (!isJudgedRun(task, run)) return {}
  const { goal, checks } = run
  return {
    ...(goal === null
      ? {}
      : {
          goal: { ...goal, isTurnJudged: false, passedAt: null, isReminded: goal.isReminded || cause === 'goal_met' },
        }),
    ...(checks === null ? {} : { checks: { ...checks, tries: 0, passedAt: null } }),
  }
}
