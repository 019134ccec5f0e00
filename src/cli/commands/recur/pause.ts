import { pauseSeries } from '../../../operations/series/pause-series.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { seriesArgument } from '../../series-flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: pauseSeries,
  args: { series: seriesArgument },
  examples: ['muster recur pause s_4k2'],
  run: async (cli, { series: typed }) => {
    const series = await cli.ask(pauseSeries, { series: typed })
    cli.answer(series, `Paused series ${series.id}  ${oneLine(series.title)}`)
  },
})
