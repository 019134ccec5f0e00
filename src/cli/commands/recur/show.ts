import { showSeries } from '../../../operations/series/show-series.ts'
import { defineCommand } from '../../command.ts'
import { whole } from '../../flags.ts'
import { seriesPage } from '../../render/series.ts'
import { seriesArgument } from '../../series-flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: showSeries,
  args: { series: seriesArgument },
  flags: { limit: whole({ min: 0, max: 500 }, 'show at most this many cards (default: 20)') },
  examples: ['muster recur show s_4k2'],
  run: async (cli, { series, limit }) => {
    const found = await cli.ask(showSeries, { series, limit: limit ?? 20 })
    cli.answer(found, seriesPage(found))
  },
})
