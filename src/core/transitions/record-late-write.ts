import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, runId, taskId } from '../fields.ts'

/** Records a write of a run that is over, when no supervisor is left to pass on the original command. */
export const recordLateWrite = defineVerb({
  name: 'record_late_write',
  input: z.object({ task: taskId, runId, verb: line, content: z.unknown() }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task, runId: run, verb, content } }) => {
    if (rows.runs.get(task)?.id === run)
      return refuse('run_live', `Run ${run} still owns card ${task}.`, { id: task, runId: run })
    const data = { verb, content: content ?? null }
    return accept(
      { runId: run },
      { events: [{ kind: 'late_result', taskId: rows.tasks.has(task) ? task : null, runId: run, data }] },
    )
  },
})
