import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveSeries } from './resolve-series.ts'
import { viewOne } from './view-series.ts'

export const pauseSeries = defineOperation({
  name: 'recur pause',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Pause a series. It creates no cards until it is resumed.',
  schemas: ({ z, seriesRef, seriesView }) => ({ input: z.object({ series: seriesRef }), output: seriesView }),
  run: async (context, { series: typed }) => {
    const { store, actor } = context
    const { id, board } = await resolveSeries(store, typed)
    return viewOne(context, unwrap(await store.decide({ verb: 'pause_series', board, actor, input: { id } })))
  },
})
