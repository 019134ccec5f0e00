import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveSeries } from './resolve-series.ts'
import { viewOne } from './view-series.ts'

export const removeSeries = defineOperation({
  name: 'recur remove',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Remove a series. Its cards stay.',
  schemas: ({ z, seriesRef, seriesView }) => ({ input: z.object({ series: seriesRef }), output: seriesView }),
  run: async (context, { series: typed }) => {
    const { store, actor } = context
    const { id, board } = await resolveSeries(store, typed)
    return viewOne(context, unwrap(await store.decide({ verb: 'remove_series', board, actor, input: { id } })))
  },
})
