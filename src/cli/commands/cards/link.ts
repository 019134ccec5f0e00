import { linkTasks } from '../../../operations/cards/link-tasks.ts'
import { cardId } from '../../flags.ts'
import { dependencyLine } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: linkTasks,
  args: {
    parent: { ...cardId, describe: 'card that must finish first', field: 'parent' },
    child: { ...cardId, describe: 'card that depends on it', field: 'child' },
  },
  examples: ['muster link t_4k2 t_8x1'],
  run: async (cli, family) => {
    const child = await cli.ask(linkTasks, family)
    cli.answer(child, dependencyLine(child))
  },
})
