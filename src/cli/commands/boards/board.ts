import { showColumns } from '../../../operations/boards/show-columns.ts'
import { whole } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

/** The default number of cards per column: eight fit a terminal, and JSON output has more. */
const SHOWN = 8
const LISTED = 50

export const command = defineCommand({
  group: 'look',
  operation: showColumns,
  flags: { limit: whole({ min: 1 }, 'at most this many cards in each column (default: 8)') },
  examples: ['muster board', 'muster board --limit 20', 'muster board --board work --json'],
  run: async (cli, { limit }) => {
    const most = limit ?? (cli.json ? LISTED : SHOWN)
    const view = await cli.ask(showColumns, { limit: most })
    if (cli.json) return cli.answer(view, '')
    const { columnsText } = await import('../../render/columns.ts')
    cli.answer(view, columnsText(view, { terminal: cli.world.terminal, limit: most }))
  },
})
