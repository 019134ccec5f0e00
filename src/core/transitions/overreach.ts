import * as z from 'zod'
import { accept, defineVerb } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import { ownedRun } from './owned-run.ts'

/** A worker reached beyond what it may: its own card says so, for whoever wonders what it was told to do. */
export const overreach = defineVerb({
  name: 'overreach',
  input: z.object({
    task: taskId,
    fence: fenceSchema,
    /** The verb or the tool. */
    asked: line,
    /** The card or the board that it was to happen to. */
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
