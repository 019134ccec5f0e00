import { reopenTask } from '../../../operations/cards/reopen-task.ts'
import { idsThenReason } from '../../flags.ts'
import { answerFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: reopenTask,
  args: { cards: idsThenReason },
  flags: answerFlags,
  examples: ['muster reopen t_4k2 it still fails on Mondays'],
  run: async (cli, given) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Reopened', (task, onPending) => cli.ask(reopenTask, { task, reason }, onPending))
  },
})
