import { unwrap } from '../../core/command.ts'
import { newTaskId } from '../../util/mint.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveSeries } from './resolve-series.ts'

export const runSeriesNow = defineOperation({
  name: 'recur run-now',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Create a card of a series now, in addition to its schedule.',
  schemas: ({ z, seriesRef, taskView }) => ({ input: z.object({ series: seriesRef }), output: taskView }),
  run: async ({ store, actor }, { series: typed }) => {
    const { id, board, card } = await resolveSeries(store, typed)
    const input = { id, task: newTaskId(), parents: card.parents }
    unwrap(await store.decide({ verb: 'run_series_now', board, actor, input }))
    return cardNow(store, { board, id: input.task })
  },
})
