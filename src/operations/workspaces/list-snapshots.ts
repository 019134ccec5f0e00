import { listSnapshots } from '../../workspaces/files/snapshots.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const listSnapshotsOf = defineOperation({
  name: 'snapshots',
  kind: 'query',
  actor: 'person',
  scope: 'card',
  summary: 'List the snapshots of a card’s removed workspaces.',
  schemas: ({ z, cardRef, snapshotView }) => ({
    input: z.object({ task: cardRef }),
    output: z.array(snapshotView).readonly(),
  }),
  run: async ({ store, options: { home } }, { task }) => {
    const { board, id } = await resolveTask(store, task)
    return listSnapshots({ home, board, task: id })
  },
})
