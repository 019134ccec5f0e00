import { verifyBackup } from '../../../operations/backups/verify-backup.ts'
import { oneLine } from '../../escape.ts'
import { EXIT } from '../../exit-codes.ts'
import { word } from '../../flags.ts'
import { contents } from '../../render/contents.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: verifyBackup,
  args: { backup: word() },
  examples: ['muster backup verify 2026-01-15T12-00-00-000Z.db', 'muster backup verify /media/disk/board.db'],
  run: async (cli, { backup }) => {
    const seen = await verifyBackup.run(cli.local, { backup })
    const faults = seen.findings.map(({ message }) => `found   ${oneLine(message)}`)
    const sound = `${oneLine(seen.path)} is in order: ${contents(seen)}.`
    cli.answer(seen, seen.ok ? sound : faults.join('\n'))
    if (!seen.ok) cli.exitCode = EXIT.failed
  },
})
