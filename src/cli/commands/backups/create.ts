import { createBackup } from '../../../operations/backups/create-backup.ts'
import { oneLine } from '../../output/escape.ts'
import { file } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: createBackup,
  flags: { to: file() },
  examples: ['muster backup create', 'muster backup create --to /media/disk/board.db'],
  run: async (cli, { to }) => {
    const made = await cli.perform(createBackup, { to: to ?? null })
    cli.answer(made, `Created and verified backup ${oneLine(made.path)} (${size(made.bytes)}).`)
    cli.notice('Attachments and workspaces are not included: copy boards/ in the data folder too.')
  },
})
