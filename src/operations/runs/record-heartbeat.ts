import { unwrap } from '../../core/command.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const recordHeartbeat = defineOperation({
  name: 'heartbeat',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Report progress on a card that you claimed.',
  schemas: ({ z, line, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      note: line.nullable().default(null).describe('A note on the progress'),
    }),
    output: taskView,
  }),
  run: async ({ store, actor }, { task: typed, note }) => {
    const address = await resolveTask(store, typed)
    unwrap(await store.decide({ verb: 'heartbeat', board: address.board, actor, input: { task: address.id, note } }))
    return cardNow(store, address)
  },
})
