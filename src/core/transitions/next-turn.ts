import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import { count, taskId } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import { TURN_CAUSES, describeTurn } from '../briefing/turns.ts'
import { ownedRun } from './owned-run.ts'

/**
 * The agent of a run has ended its turn, nothing of it is left, and another one begins. What a person asked meanwhile
 * comes first. Whoever cleared away what the last turn left behind did not end the run: that mark goes.
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
    // Nothing was said that would have to be kept.
    if ('ok' in found) return { ...found, events: [] }
    const { task, run } = found
    const { turn, cause, left } = input
    if (run.intent !== null)
      return refuse('pending', `Run ${run.id} is being ended: ${run.intent.by} asked for ${run.intent.verb}.`, {
        id: task.id,
        runId: run.id,
      })
    return accept(
      { runId: run.id },
      {
        changes: [
          {
            op: 'update_run',
            taskId: task.id,
            patch: { terminatingAt: null, terminatingReason: null, lastActivityAt: now },
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
