import { writeExport } from '../../../operations/backups/export-pieces.ts'
import { exportStore } from '../../../operations/backups/export-store.ts'
import { oneLine } from '../../output/escape.ts'
import { file } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: exportStore,
  flags: { to: file('the file to write, instead of standard output') },
  examples: ['muster backup export --to board.json', 'muster backup export | jq .tables.task'],
  run: async (cli, { to }) => {
    if (to === undefined) {
      const { store } = await cli.board('read')
      await writeExport(store, (piece) => void cli.world.stdout.write(piece))
      return
    }
    const made = await cli.perform(exportStore, { to })
    const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0)
    cli.answer(made, `Exported ${rows} rows to ${oneLine(made.path)} (${size(made.bytes)}).`)
  },
})
