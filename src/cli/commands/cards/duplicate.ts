import { duplicateTask } from '../../../operations/cards/duplicate-task.ts'
import { noticeApproval } from '../../card-notices.ts'
import { cardId, line } from '../../flags.ts'
import { defineCommand } from '../../command.ts'
import { statusText } from '../../render/format-values.ts'

export const command = defineCommand({
  group: 'cards',
  operation: duplicateTask,
  args: { id: cardId },
  flags: { title: line() },
  brief: 'Create a copy of a card',
  examples: ['muster duplicate t_4k2', 'muster duplicate t_4k2 --title "The same for the docs"'],
  run: async (cli, { id, title = null }) => {
    const task = await cli.ask(duplicateTask, { task: id, title })
    cli.answer(task, `Created ${task.id}  (${statusText(task)})`)
    await noticeApproval(cli, task.id)
  },
})
