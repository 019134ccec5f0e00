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
    output: z.array(runView).readonly(),
  }),
  run: async ({ store }, { task: typed, ...state }) => {
    const isAsked = runFilter(state)
    const { board, id } = await resolveTask(store, typed, { deleted: true })
    return (await store.runs(board, id)).filter(isAsked).map(viewRun)
  },
})
