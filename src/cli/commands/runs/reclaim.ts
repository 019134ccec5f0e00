import { reclaimTask } from '../../../operations/runs/reclaim-task.ts'
import { idsThenReason } from '../../flags.ts'
import { reasonFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: reclaimTask,
  args: { cards: idsThenReason },
  flags: reasonFlags,
  examples: ['muster reclaim t_4k2 it went the wrong way'],
  run: async (cli, given) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Reclaimed', (task, onPending) => cli.ask(reclaimTask, { task, reason }, onPending))
  },
})
