import { restoreBackup } from '../../../operations/backups/restore-backup.ts'
import type { Restoration } from '../../../operations/backups/restore-backup.ts'
import { oneLine } from '../../output/escape.ts'
import { EXIT } from '../../output/printer.ts'
import { argument, toggle } from '../../flags.ts'
import { contents } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: restoreBackup,
  args: { backup: argument() },
  flags: { yes: toggle(), force: toggle() },
  examples: ['muster backup restore 2026-01-15T12-00-00-000Z.db', 'muster backup restore /media/disk/board.db --yes'],
  run: async (cli, { backup, yes, force }) => {
    const done = await cli.perform(restoreBackup, { backup, yes, force })
    cli.answer(done, sentences(done).join('\n'))
    if (done.restored) return
    cli.notice('Nothing was changed. To restore the backup, add --yes.')
    cli.exitCode = EXIT.failed
  },
})

function sentences({ restored, from, interruptedRuns, findings, replaces, saved, ...held }: Restoration): string[] {
  const instead = replaces === null ? '' : `, replacing ${contents(replaces)}`
  return [
    `${restored ? 'Restored' : 'Would restore'} ${contents(held)} from ${oneLine(from)}${instead}.`,
    ...(interruptedRuns === 0 ? [] : [`Open runs of the backup that were ended as interrupted: ${interruptedRuns}.`]),
    ...(findings.length === 0
      ? []
      : [`Problems found in the backup: ${findings.length}. After restoring, run muster doctor --fix.`]),
    ...(restored || replaces === null || (!replaces.dispatcher && replaces.openRuns === 0)
      ? []
      : [
          `The store is in use (${replaces.openRuns} open runs${replaces.dispatcher ? ', and Muster is running' : ''}).`,
        ]),
    ...(saved === null ? [] : [`The previous store is saved as ${oneLine(saved)}.`]),
  ]
}
