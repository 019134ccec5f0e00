import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'

export const deleteView = defineOperation({
  name: 'views delete',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Delete a saved view. Its cards stay.',
  schemas: ({ z, line, savedView }) => ({
    input: z.object({ name: line.describe('The name of the view') }),
    output: savedView,
  }),
  run: async ({ store, board, actor }, input) =>
    unwrap(await store.decide({ verb: 'delete_view', board, actor, input })),
})
