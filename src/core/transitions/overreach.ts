import * as z from 'zod'
import { accept, defineVerb } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import { ownedRun } from './owned-run.ts'

/** Records on the worker's card that the worker tried an action that it may not take. */
export const overreach = defineVerb({
  name: 'overreach',
  input: z.object({
    task: taskId,
    fence: fenceSchema,
    /** The name of the verb or the tool. */
    asked: line,
    /** The card or the board that the worker tried to change. */
    target: line.nullable(),
    reason: line,
    times: z.int().min(1),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input }) => {
    const { fence, task: id, ...data } = input
    const found = ownedRun(rows, { task: id, fence }, { verb: 'overreach', content: data })
    if ('ok' in found) return found
    return accept({ runId: fence.runId }, { events: [{ kind: 'overreached', taskId: id, runId: fence.runId, data }] })
  },
})
