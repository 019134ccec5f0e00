import { explainTask } from '../../../operations/cards/explain-task.ts'
import { cardId } from '../../flags.ts'
import { explanation, reasonValue } from '../../render/reasons.ts'
import { defineCommand } from '../../command.ts'
import type { Invocation } from '../../invocation.ts'

export const command = defineCommand({
  group: 'look',
  operation: explainTask,
  args: { id: cardId },
  brief: 'Show why a card is not running, and what to do',
  examples: ['muster why t_4k2', 'muster why s_4k2'],
  run: async (cli, { id }) => {
    if (/^s_/i.test(id.trim())) return explainSeries(cli, id)
    const explained = await cli.ask(explainTask, { task: id })
    const { task, reasons } = explained
    cli.answer(
      { task, reasons: reasons.map(reasonValue) },
      explanation(explained, cli.world.now(), cli.world.terminal?.columns ?? Infinity),
    )
  },
})

/** A series has no reasons of a card. Its page lists what keeps it from creating cards, with the remedies. */
async function explainSeries(cli: Invocation, series: string): Promise<void> {
  const [{ showSeries }, { seriesPage }] = await Promise.all([
    import('../../../operations/series/show-series.ts'),
    import('../../render/series.ts'),
  ])
  const found = await cli.ask(showSeries, { series, limit: 0 })
  cli.answer(found, seriesPage(found))
}
