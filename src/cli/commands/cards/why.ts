import { explainTask } from '../../../operations/cards/explain-task.ts'
import { cardId } from '../../flags.ts'
import { explanation, reasonValue } from '../../render/reasons.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: explainTask,
  args: { id: cardId },
  examples: ['muster why t_4k2'],
  run: async (call, { id }) => {
    const explained = await call.ask(explainTask, { task: id })
    const { task, reasons } = explained
    call.answer({ task, reasons: reasons.map(reasonValue) }, explanation(explained, call.world.now()))
  },
})
