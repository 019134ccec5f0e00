import { releaseTask } from '../../../operations/cards/release-task.ts'
import { cardIds } from '../../flags.ts'
import { changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: releaseTask,
  args: { ids: cardIds },
  examples: ['muster release t_4k2'],
  run: (cli, { ids }) =>
    changeCards(cli, ids, 'Released', (task, onPending) => cli.ask(releaseTask, { task }, onPending)),
})
