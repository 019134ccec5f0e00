import { deleteTask } from '../../../operations/cards/delete-task.ts'
import { cardIds } from '../../flags.ts'
import { answerMany, oneByOne } from '../../many.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: deleteTask,
  args: { ids: cardIds },
  aliases: ['rm'],
  examples: ['muster delete t_4k2'],
  run: async (cli, { ids }) => {
    const answers = await oneByOne(ids, (task, onPending) => cli.ask(deleteTask, { task }, onPending))
    answerMany(cli, answers, ({ id }) => `Deleted ${id}. To restore it: muster undelete ${id}`)
  },
})
