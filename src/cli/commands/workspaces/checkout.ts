import { checkoutTask } from '../../../operations/workspaces/checkout-task.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: checkoutTask,
  args: { id: cardId },
  examples: ['muster checkout t_4k2', 'cd "$(muster checkout t_4k2)"'],
  run: async (cli, { id }) => {
    const found = await cli.perform(checkoutTask, { task: id })
    if (found.switched)
      cli.notice(`The worktree was removed, so ${oneLine(found.path)} is now on branch ${oneLine(found.branch)}.`)
    cli.answer(found, oneLine(found.path))
  },
})
