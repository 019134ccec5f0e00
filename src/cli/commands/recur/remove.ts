import { removeSeries } from '../../../operations/series/remove-series.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { seriesArgument } from '../../series-flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: removeSeries,
  args: { series: seriesArgument },
  aliases: ['recur rm'],
  examples: ['muster recur remove s_4k2'],
  run: async (cli, { series: typed }) => {
    const series = await cli.ask(removeSeries, { series: typed })
    cli.answer(series, `Removed series ${series.id}  ${oneLine(series.title)}. Its cards stay.`)
  },
})
