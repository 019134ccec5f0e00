import { showTask } from '../../operations/show-task.ts'
import type { ConfigureVerb } from '../commands.ts'
import { taskPage } from '../render.ts'

export const configure: ConfigureVerb = (command, begin) => {
  command.argument('<id>', 'the card, or the beginning of its id').action(async (id: string) => {
    const call = begin()
    const task = await call.query((context) => showTask.run(context, { task: id }))
    call.answer(task, taskPage(task))
  })
}
