import { verifyBackup } from '../../../operations/backups/verify-backup.ts'
import { oneLine } from '../../output/escape.ts'
import { EXIT } from '../../output/printer.ts'
import { argument } from '../../flags.ts'
import { contents } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: verifyBackup,
  args: { backup: argument() },
  examples: ['muster backup verify 2026-01-15T12-00-00-000Z.db', 'muster backup verify /media/disk/board.db'],
  run: async (cli, { backup }) => {
    const report = await cli.perform(verifyBackup, { backup })
    const faults = report.findings.map(({ message }) => `found   ${oneLine(message)}`)
    const valid = `${oneLine(report.path)} is valid: ${contents(report)}.`
    cli.answer(report, report.ok ? valid : faults.join('\n'))
    if (!report.ok) cli.exitCode = EXIT.failed
  },
})
