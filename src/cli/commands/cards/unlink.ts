import { unlinkTasks } from '../../../operations/cards/unlink-tasks.ts'
import { cardId } from '../../flags.ts'
import { dependencyLine } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: unlinkTasks,
  args: {
    parent: { ...cardId, describe: 'the parent card', field: 'parent' },
    child: { ...cardId, describe: 'card that no longer depends on the parent', field: 'child' },
  },
  examples: ['muster unlink t_4k2 t_8x1'],
  run: async (cli, family) => {
    const child = await cli.ask(unlinkTasks, family)
    cli.answer(child, dependencyLine(child))
  },
})
