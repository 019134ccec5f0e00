import { listSeries } from '../../../operations/series/list-series.ts'
import { defineCommand } from '../../command.ts'
import { toggle } from '../../flags.ts'
import { seriesRow, seriesTable } from '../../render/series.ts'

export const command = defineCommand({
  group: 'more',
  operation: listSeries,
  flags: { allBoards: toggle() },
  aliases: ['recur', 'recur ls'],
  examples: ['muster recur', 'muster recur list --json'],
  run: async (cli, { allBoards }) => {
    cli.list(await cli.ask(listSeries, { allBoards }), {
      table: seriesTable,
      row: seriesRow,
      empty: 'No series. To add one: muster recur add "weekdays 09:00" --title "…"',
    })
  },
})
