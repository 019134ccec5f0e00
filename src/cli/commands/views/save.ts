import { saveView } from '../../../operations/views/save-view.ts'
import { defineCommand } from '../../command.ts'
import { argument, filling, line } from '../../flags.ts'
import { oneLine } from '../../output/escape.ts'

export const command = defineCommand({
  group: 'more',
  operation: saveView,
  args: {
    name: argument('name of the view'),
    query: argument('the filters of the view, as in the URL of the dashboard'),
  },
  flags: { of: filling('of', line('<board>', 'the board of the view (default: all boards)')) },
  examples: ['muster views save urgent "status=blocked&label=urgent"', 'muster views save night "since=12h" --of work'],
  run: async (cli, { name, query, of }) => {
    const view = await cli.ask(saveView, { name, query, of: of ?? null })
    cli.answer(view, `Saved view ${oneLine(view.name)}.`)
  },
})
