import { createBackup } from '../../../operations/backups/create-backup.ts'
import { oneLine } from '../../escape.ts'
import { file } from '../../flags.ts'
import { size } from '../../render/words.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: createBackup,
  flags: { to: file() },
  examples: ['muster backup create', 'muster backup create --to /media/disk/board.db'],
  run: async (cli, { to }) => {
    const made = await createBackup.run(cli.local, { to: to ?? null })
    cli.answer(made, `Backed up to ${oneLine(made.path)} (${size(made.bytes)}), and checked it.`)
    cli.notice('The files of cards are not in it: they lie in boards/ of the home.')
  },
})
