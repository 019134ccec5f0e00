import { unarchiveTask } from '../../../operations/cards/unarchive-task.ts'
import { cardIds } from '../../flags.ts'
import { changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: unarchiveTask,
  args: { ids: cardIds },
  examples: ['muster unarchive t_4k2'],
  run: (cli, { ids }) =>
    changeCards(cli, ids, 'Unarchived', (task, onPending) => cli.ask(unarchiveTask, { task }, onPending)),
})
