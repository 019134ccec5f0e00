import { defineOperation } from '../shared/operation.ts'
import { resolveSeries } from './resolve-series.ts'
import { viewOne } from './view-series.ts'

const CARDS = 20
const CARDS_MAX = 500

export const showSeries = defineOperation({
  name: 'recur show',
  kind: 'query',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Show a series, its last cards, and why it creates none.',
  schemas: ({ z, seriesRef, seriesDetails }) => ({
    input: z.object({
      series: seriesRef,
      limit: z.int().min(0).max(CARDS_MAX).default(CARDS).describe('Show at most this many cards'),
    }),
    output: seriesDetails,
  }),
  run: async (context, { series: typed, limit }) => {
    const series = await resolveSeries(context.store, typed)
    const [view, cards] = await Promise.all([viewOne(context, series), context.store.seriesCards(series.id, limit)])
    return { ...view, cards }
  },
})
