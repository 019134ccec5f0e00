import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import { count, taskId } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import { TURN_CAUSES, describeTurn } from '../briefing/turns.ts'
import { ownedRun } from './owned-run.ts'

/**
 * Begins another turn of a run, after the processes of the last turn are gone. If a person gave a command on the run,
 * no turn begins. Before the processes were ended, the run was marked as terminating. This verb clears the mark.
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
    // A request from a run that lost its card has no content, so no event records it.
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
