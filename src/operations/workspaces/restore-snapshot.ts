import { BoardError } from '../../core/errors.ts'
import { listSnapshots, restoreSnapshot } from '../../workspaces/files/snapshots.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const restoreSnapshotOf = defineOperation({
  name: 'restore',
  kind: 'local',
  actor: 'person',
  scope: 'card',
  summary: 'Copy a snapshot of a card’s workspace into a folder.',
  schemas: ({ z, absolutePath, taskId, cardRef, snapshotView }) => ({
    input: z.object({
      task: cardRef,
      to: absolutePath.describe('A new or empty folder'),
      snapshot: z.string().nullable().default(null).describe('Which snapshot (default: the newest)'),
    }),
    output: z.object({ id: taskId, to: z.string(), snapshot: snapshotView }),
  }),
  run: async ({ options: { home }, openStore }, { task, to, snapshot: wanted }) => {
    const store = await openStore('read')
    try {
      const { board, id } = await resolveTask(store, task)
      const known = await listSnapshots({ home, board, task: id })
      const chosen = wanted === null ? known.at(-1) : known.find((one) => one.id === wanted)
      if (chosen === undefined) throw noSnapshot(id, wanted)
      await restoreSnapshot(home, chosen, to)
      return { id, to, snapshot: chosen }
    } finally {
      await store.close()
    }
  },
})

const noSnapshot = (id: string, wanted: string | null): BoardError =>
  new BoardError(
    'snapshot_not_found',
    wanted === null
      ? `Card ${id} has no snapshot on this machine. Its workspace still exists, had no files to keep, or was too large when it was deleted.`
      : `Card ${id} has no snapshot ${wanted}. To list its snapshots: muster snapshots ${id}`,
    { details: { id } },
  )
