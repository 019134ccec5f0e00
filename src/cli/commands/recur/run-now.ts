import { runSeriesNow } from '../../../operations/series/run-series-now.ts'
import { defineCommand } from '../../command.ts'
import { seriesArgument } from '../../series-flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: runSeriesNow,
  args: { series: seriesArgument },
  brief: 'Create a card of a series now',
  examples: ['muster recur run-now s_4k2'],
  run: async (cli, { series }) => {
    const task = await cli.ask(runSeriesNow, { series })
    cli.answer(task, `Created ${task.id}  (${task.status})`)
    if (cli.json || cli.insideRun) return
    const { startHint } = await import('../../start-hint.ts')
    const hint = await startHint(cli, task)
    if (hint !== null) cli.notice(hint)
  },
})
