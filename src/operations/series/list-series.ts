import { requireBoard } from '../boards/require-board.ts'
import { defineOperation } from '../shared/operation.ts'
import { readAround, viewSeries } from './view-series.ts'

export const listSeries = defineOperation({
  name: 'recur list',
  kind: 'query',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'List the series of a board, with their next times.',
  schemas: ({ z, seriesView }) => ({
    input: z.object({ allBoards: z.boolean().default(false).describe('List the series of all boards') }),
    output: z.array(seriesView).readonly(),
  }),
  run: async (context, { allBoards }) => {
    const { store, board } = context
    const found = await store.series(allBoards ? null : board)
    if (found.length === 0 && !allBoards) await requireBoard(store, board)
    const around = await readAround(context, found)
    // Paused series come last.
    return found
      .map((series) => viewSeries(series, around))
      .toSorted((a, b) => (a.nextAt ?? Infinity) - (b.nextAt ?? Infinity))
  },
})
