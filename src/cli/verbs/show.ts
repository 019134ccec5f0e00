import { showTask } from '../../operations/show-task.ts'
import { cardId } from '../flags.ts'
import { taskPage } from '../render/task-page.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'look',
  operation: showTask,
  args: { id: cardId },
  examples: ['muster show t_4k2', 'muster show t_4k2 --json'],
  run: async (call, { id }) => {
    const task = await call.ask(showTask, { task: id })
    call.answer(task, taskPage(task))
  },
})
