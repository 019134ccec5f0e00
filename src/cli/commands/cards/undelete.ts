import { undeleteTask } from '../../../operations/cards/undelete-task.ts'
import { cardIds } from '../../flags.ts'
import { changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: undeleteTask,
  args: { ids: cardIds },
  examples: ['muster undelete t_4k2'],
  run: (cli, { ids }) =>
    changeCards(cli, ids, 'Undeleted', (task, onPending) => cli.ask(undeleteTask, { task }, onPending)),
})
