import { holdTask } from '../../../operations/cards/hold-task.ts'
import { idsThenReason } from '../../flags.ts'
import { reasonFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: holdTask,
  args: { cards: idsThenReason },
  flags: reasonFlags,
  examples: ['muster hold t_4k2', 'muster hold t_4k2 t_8x1 until the release is out'],
  run: async (cli, given) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Held', (task, onPending) => cli.ask(holdTask, { task, reason }, onPending))
  },
})
