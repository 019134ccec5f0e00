import { unlinkTasks } from '../../../operations/cards/unlink-tasks.ts'
import { cardId } from '../../flags.ts'
import { waitsFor } from '../../render/words.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'cards',
  operation: unlinkTasks,
  args: {
    parent: { ...cardId, describe: 'the card that must be done first', field: 'parent' },
    child: { ...cardId, describe: 'the card that waited for it', field: 'child' },
  },
  examples: ['muster unlink t_4k2 t_8x1'],
  run: async (cli, family) => {
    const child = await cli.ask(unlinkTasks, family)
    cli.answer(child, waitsFor(child))
  },
})
