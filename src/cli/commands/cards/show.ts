import { BoardError } from '../../../core/errors.ts'
import { STATE_TYPES } from '../../../operations/runs/run-view.ts'
import { showTask } from '../../../operations/cards/show-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import type { Invocation } from '../../invocation.ts'
import { cardId, choice, line } from '../../flags.ts'
import type { CardContext } from '../../render/task-page.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: showTask,
  args: { id: cardId },
  flags: { stateType: choice(STATE_TYPES), stateName: line('<name>'), commentsBefore: line('<comment>') },
  examples: ['muster show t_4k2', 'muster show t_4k2 --state-type outcome --state-name crashed'],
  run: async (cli, { id, stateType, stateName, commentsBefore }) => {
    const task = await cli.ask(showTask, {
      task: id,
      ...definedOnly({ stateType, stateName, commentsBefore }),
    })
    if (cli.json) return cli.answer(task, '')
    const { taskPage } = await import('../../render/task-page.ts')
    cli.answer(task, taskPage(task, { now: cli.world.now(), reasons: await askWhy(cli, task.id) }))
  },
})

/** Only for people: it reads agent files, which takes a moment. */
async function askWhy(cli: Invocation, task: string): Promise<CardContext['reasons']> {
  const { explainTask } = await import('../../../operations/cards/explain-task.ts')
  try {
    return (await cli.ask(explainTask, { task })).reasons
  } catch (error) {
    // Inside a run the reasons are not available, so the card is shown without them.
    if (error instanceof BoardError) return null
    throw error
  }
}
