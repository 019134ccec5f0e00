import { resolve } from 'node:path'
import { restoreSnapshotOf } from '../../../operations/workspaces/restore-snapshot.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId, folder, text } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: restoreSnapshotOf,
  args: { id: cardId },
  flags: { to: folder('a new or empty folder (default: ./<id>-restored)'), snapshot: text('<snapshot>') },
  examples: ['muster restore t_4k2', 'muster restore t_4k2 --to ~/rescued'],
  run: async (cli, { id, to, snapshot }) => {
    const given = { task: id, to: to ?? resolve(`${id}-restored`), snapshot: snapshot ?? null }
    const done = await cli.perform(restoreSnapshotOf, given)
    cli.answer(done, `Restored ${done.snapshot.files} files of ${done.id} to ${oneLine(done.to)}`)
  },
})
