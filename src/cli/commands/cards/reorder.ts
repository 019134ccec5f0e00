import { notOnePlace, reorderTask } from '../../../operations/cards/reorder-task.ts'
import { definedOnly } from '../../../util/objects.ts'
import { resultLine } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'
import { card, cardId, filling, toggle } from '../../flags.ts'

export const command = defineCommand({
  group: 'steer',
  operation: reorderTask,
  args: { id: cardId },
  flags: {
    before: card('directly before this card of its column'),
    after: card('directly after this card of its column'),
    first: filling('to', toggle('to the start of its column')),
    last: filling('to', toggle('to the end of its column')),
  },
  examples: ['muster reorder t_4k2 --before t_8x1', 'muster reorder t_4k2 --first'],
  run: async (cli, { id, before, after, first, last }) => {
    if (first === true && last === true) throw notOnePlace()
    const to = first === true ? 'first' : last === true ? 'last' : undefined
    const task = await cli.ask(reorderTask, { task: id, ...definedOnly({ before, after, to }) })
    cli.answer(task, resultLine('Moved')(task))
  },
})
