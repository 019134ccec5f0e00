import { archiveTask } from '../../../operations/cards/archive-task.ts'
import { cardIds } from '../../flags.ts'
import { changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: archiveTask,
  args: { ids: cardIds },
  examples: ['muster archive t_4k2 t_8x1'],
  run: (cli, { ids }) =>
    changeCards(cli, ids, 'Archived', (task, onPending) => cli.ask(archiveTask, { task }, onPending)),
})
