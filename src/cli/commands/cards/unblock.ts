import { unblockTask } from '../../../operations/cards/unblock-task.ts'
import { idsThenReason, toggle } from '../../flags.ts'
import { answerFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'
import { warnUnanswered } from '../../card-notices.ts'

export const command = defineCommand({
  group: 'steer',
  operation: unblockTask,
  args: { cards: idsThenReason },
  flags: { reset: toggle('also reset the count of attempts in the last 24 hours'), ...answerFlags },
  aliases: ['retry'],
  examples: ['muster unblock t_4k2', "muster unblock t_4k2 'Use port 8080.'", 'muster unblock t_4k2 --reset'],
  run: async (cli, { reset, ...given }) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Unblocked', async (task, onPending) => {
      const unblocked = await cli.ask(unblockTask, { task, reason, reset }, onPending)
      if (reason === null) await warnUnanswered(cli, unblocked.id)
      return unblocked
    })
  },
})
