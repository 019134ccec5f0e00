import { listSnapshotsOf } from '../../../operations/workspaces/list-snapshots.ts'
import { oneLine } from '../../escape.ts'
import { cardId } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: listSnapshotsOf,
  args: { id: cardId },
  examples: ['muster snapshots t_4k2', 'muster snapshots t_4k2 --json'],
  run: async (cli, { id }) => {
    const found = await cli.ask(listSnapshotsOf, { task: id })
    const lines = found.map(({ id: own, files, bytes, path, repo, ref }) => {
      const where = path === null ? `${ref ?? ''} in ${repo ?? ''}` : path
      return `${oneLine(own)}  ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}\n  at ${oneLine(where)}`
    })
    cli.answer(found, lines.length === 0 ? 'No snapshots.' : lines.join('\n'))
  },
})
