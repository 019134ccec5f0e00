import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, runId, taskId } from '../input/fields.ts'

/**
 * Records a change by a run that has ended. The dispatcher uses this verb if the supervisor of the run is gone. `task`
 * is null if the store was restored from a backup that does not have the card.
 */
export const recordLateWrite = defineVerb({
  name: 'record_late_write',
  input: z.object({ task: taskId.nullable(), runId, verb: line, content: z.unknown() }),
  scope: ({ task }) => ({ tasks: task === null ? [] : [task] }),
  decide: ({ rows, input: { task, runId: run, verb, content } }) => {
    if (task !== null && rows.runs.get(task)?.id === run)
      return refuse('run_live', `Run ${run} still owns card ${task}.`, { id: task, runId: run })
    const about = task !== null && rows.tasks.has(task) ? task : null
    const data = { verb, content: content ?? null }
    return accept({ runId: run }, { events: [{ kind: 'late_result', taskId: about, runId: run, data }] })
  },
})
