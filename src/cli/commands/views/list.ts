import { listViews } from '../../../operations/views/list-views.ts'
import { defineCommand } from '../../command.ts'
import { viewRow, viewTable } from '../../render/views.ts'

export const command = defineCommand({
  group: 'more',
  operation: listViews,
  aliases: ['views', 'views ls'],
  examples: ['muster views', 'muster views list --json'],
  run: async (cli) => {
    cli.list(await cli.ask(listViews, {}), {
      table: viewTable,
      row: viewRow,
      empty: 'No saved views. To save one: muster views save <name> "status=blocked"',
    })
  },
})
