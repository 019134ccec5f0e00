import { BoardError } from '../../../core/errors.ts'
import { STATE_TYPES } from '../../../operations/runs/run-view.ts'
import { showTask } from '../../../operations/cards/show-task.ts'
import { definedOnly } from '../../../util/defined-only.ts'
import type { Invocation } from '../../invocation.ts'
import { cardId, choice, line } from '../../flags.ts'
import type { Around } from '../../render/task-page.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: showTask,
  args: { id: cardId },
  flags: { stateType: choice(STATE_TYPES), stateName: line('<name>'), commentsBefore: line('<comment>') },
  examples: ['muster show t_4k2', 'muster show t_4k2 --state-type outcome --state-name crashed'],
  run: async (call, { id, stateType, stateName, commentsBefore }) => {
    const task = await call.ask(showTask, {
      task: id,
      ...definedOnly({ stateType, stateName, commentsBefore }),
    })
    if (call.json) return call.answer(task, '')
    const { taskPage } = await import('../../render/task-page.ts')
    call.answer(task, taskPage(task, { now: call.world.now(), reasons: await askWhy(call, task.id) }))
  },
})

/** For people only, who read why before anything else; it reads agent files, which takes a moment. */
async function askWhy(call: Invocation, task: string): Promise<Around['reasons']> {
  const { explainTask } = await import('../../../operations/cards/explain-task.ts')
  try {
    return (await call.ask(explainTask, { task })).reasons
  } catch (error) {
    // The card itself is shown all the same: inside a run not everything may be asked.
    if (error instanceof BoardError) return null
    throw error
  }
}
