import { claimTask } from '../../operations/claim-task.ts'
import { oneLine } from '../escape.ts'
import { cardId } from '../flags.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'work',
  operation: claimTask,
  args: { id: cardId },
  examples: ['muster claim t_4k2'],
  run: async (call, { id }) => {
    const claimed = await call.ask(claimTask, { task: id })
    const { task, run } = claimed
    const where = task.workspace.path === null ? '' : `\nworkspace  ${oneLine(task.workspace.path)}`
    call.answer(claimed, `Claimed ${task.id} as ${run.id}  (attempt ${run.attempt})${where}`)
    call.notice(`It is yours until muster complete ${task.id}, or muster reclaim ${task.id} to give it back.`)
  },
})
