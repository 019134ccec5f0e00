import { resumeSeries } from '../../../operations/series/resume-series.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { nextLine } from '../../render/series.ts'
import { seriesArgument } from '../../series-flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: resumeSeries,
  args: { series: seriesArgument },
  examples: ['muster recur resume s_4k2'],
  run: async (cli, { series: typed }) => {
    const series = await cli.ask(resumeSeries, { series: typed })
    cli.answer(series, `Resumed series ${series.id}  ${oneLine(series.title)}\n${nextLine(series)}`)
  },
})
