import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'

export const renameView = defineOperation({
  name: 'views rename',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Rename a saved view.',
  schemas: ({ z, line, savedView }) => ({
    input: z.object({ name: line.describe('The name of the view'), to: line.describe('Its new name') }),
    output: savedView,
  }),
  run: async ({ store, board, actor }, input) =>
    unwrap(await store.decide({ verb: 'rename_view', board, actor, input })),
})
