import { checkoutTask } from '../../../operations/workspaces/checkout-task.ts'
import { oneLine } from '../../escape.ts'
import { cardId } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: checkoutTask,
  args: { id: cardId },
  examples: ['muster checkout t_4k2', 'cd "$(muster checkout t_4k2)"'],
  run: async (call, { id }) => {
    const found = await checkoutTask.run(call.local, { task: id })
    if (found.switched)
      call.notice(`The worktree is gone, so ${oneLine(found.path)} is now on ${oneLine(found.branch)}.`)
    call.answer(found, oneLine(found.path))
  },
})
