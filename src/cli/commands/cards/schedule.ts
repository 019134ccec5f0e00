import { scheduleTask } from '../../../operations/cards/schedule-task.ts'
import { idsThenReason, laterMoment } from '../../flags.ts'
import { reasonFlags, changeCards, targetsOf } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: scheduleTask,
  args: { cards: idsThenReason },
  flags: { at: laterMoment('start time: 09:00, tomorrow, +2h, a date'), ...reasonFlags },
  brief: 'Let a card wait until a time',
  examples: ['muster schedule t_4k2 --at "tomorrow 9:00"', 'muster schedule t_4k2 after the holidays'],
  run: async (cli, { at, ...given }) => {
    const { ids, reason } = targetsOf(given)
    await changeCards(cli, ids, 'Scheduled', (task, onPending) =>
      cli.ask(scheduleTask, { task, reason, at: at ?? null }, onPending),
    )
  },
})
