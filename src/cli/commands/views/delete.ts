import { deleteView } from '../../../operations/views/delete-view.ts'
import { defineCommand } from '../../command.ts'
import { argument } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'

export const command = defineCommand({
  group: 'more',
  operation: deleteView,
  args: { name: argument('name of the view') },
  aliases: ['views rm'],
  examples: ['muster views delete urgent'],
  run: async (cli, { name }) => {
    const view = await cli.ask(deleteView, { name })
    cli.answer(view, `Deleted view ${oneLine(view.name)}.`)
  },
})
