import type { Run } from '../../core/run.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { readLastLine } from '../../supervisor/turns/last-output.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { runFilter, viewRun } from './run-view.ts'

export const listRuns = defineOperation({
  name: 'runs',
  kind: 'query',
  actor: 'worker',
  scope: 'card',
  summary: 'List the runs of a card, oldest first.',
  schemas: ({ z, runState, runView }) => ({
    input: z.object({
      task: z.string().describe('The id of a card, or the beginning of one'),
      ...runState,
    }),
    output: z
      .array(
        runView.extend({
          /** The last output of a run that has neither summary nor error, if its log is on this machine. */
          lastLine: z.string().nullable(),
        }),
      )
      .readonly(),
  }),
  run: async ({ store }, { task: typed, ...state }) => {
    const isAsked = runFilter(state)
    const { board, id } = await resolveTask(store, typed, { deleted: true })
    const runs = (await store.runs(board, id)).filter(isAsked)
    return Promise.all(runs.map(async (run) => ({ ...viewRun(run), lastLine: await lastLineOf(run) })))
  },
})

/** The last output of a run. Null means that the log is on another machine, or was deleted. */
async function lastLineOf({ logPath, summary, error, machine }: Run): Promise<string | null> {
  const isHere = logPath !== null && machine === hostIfSupported()?.machine.id
  return isHere && (summary ?? error) === null ? readLastLine(logPath).catch(() => null) : null
}
