import { renameView } from '../../../operations/views/rename-view.ts'
import { defineCommand } from '../../command.ts'
import { argument } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'

export const command = defineCommand({
  group: 'more',
  operation: renameView,
  args: { name: argument('name of the view'), to: argument('its new name') },
  examples: ['muster views rename urgent "Urgent and blocked"'],
  run: async (cli, input) => {
    const view = await cli.ask(renameView, input)
    cli.answer(view, `Renamed view ${oneLine(input.name)} to ${oneLine(view.name)}.`)
  },
})
