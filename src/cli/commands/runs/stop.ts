import { stopTask } from '../../../operations/runs/stop-task.ts'
import { idsThenReason } from '../../flags.ts'
import { reasonFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: stopTask,
  args: { cards: idsThenReason },
  flags: reasonFlags,
  aliases: ['cancel'],
  examples: ['muster stop t_4k2', 'muster stop t_4k2 t_8x1 it deletes the wrong files'],
  run: async (cli, given) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Stopped', (task, onPending) => cli.ask(stopTask, { task, reason }, onPending))
  },
})
