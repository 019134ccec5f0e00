import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveSeries } from './resolve-series.ts'
import { viewOne } from './view-series.ts'

export const resumeSeries = defineOperation({
  name: 'recur resume',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Let a paused series continue with its next time.',
  schemas: ({ z, seriesRef, seriesView }) => ({ input: z.object({ series: seriesRef }), output: seriesView }),
  run: async (context, { series: typed }) => {
    const { store, actor } = context
    const { id, board } = await resolveSeries(store, typed)
    return viewOne(context, unwrap(await store.decide({ verb: 'resume_series', board, actor, input: { id } })))
  },
})
