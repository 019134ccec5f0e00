import { listSnapshotsOf } from '../../../operations/workspaces/list-snapshots.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

type Snapshot = Awaited<ReturnType<typeof listSnapshotsOf.run>>[number]

export const command = defineCommand({
  group: 'keep',
  operation: listSnapshotsOf,
  args: { id: cardId },
  examples: ['muster snapshots t_4k2', 'muster snapshots t_4k2 --json'],
  run: async (cli, { id }) => {
    const found = await cli.ask(listSnapshotsOf, { task: id })
    cli.list(found, {
      table: () => found.map(snapshotText).join('\n'),
      row: ({ id: own, files, bytes, path, ref }) => [own, files, bytes, path ?? ref],
      empty: 'No snapshots.',
    })
  },
})

function snapshotText({ id, files, bytes, path, repo, ref }: Snapshot): string {
  const where = path === null ? `${ref ?? ''} in ${repo ?? ''}` : path
  return `${oneLine(id)}  ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}\n  at ${oneLine(where)}`
}
