import { explainTask } from '../../../operations/cards/explain-task.ts'
import { cardId } from '../../flags.ts'
import { explanation, reasonValue } from '../../render/reasons.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: explainTask,
  args: { id: cardId },
  brief: 'Show why a card is not running, and what to do',
  examples: ['muster why t_4k2'],
  run: async (cli, { id }) => {
    const explained = await cli.ask(explainTask, { task: id })
    const { task, reasons } = explained
    cli.answer(
      { task, reasons: reasons.map(reasonValue) },
      explanation(explained, cli.world.now(), cli.world.terminal?.columns ?? Infinity),
    )
  },
})
