import { unwrap } from '../../core/command.ts'
import { requireBoard } from '../boards/require-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const saveView = defineOperation({
  name: 'views save',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Save a view of cards under a name. A view with this name is replaced.',
  schemas: ({ z, line, slug, savedView }) => ({
    input: z.object({
      name: line.describe('The name of the view'),
      query: z
        .string()
        .describe('The filters of the view, as in the URL of the dashboard: status=blocked&label=urgent'),
      of: slug.nullable().default(null).describe('The board of the view; null: all boards'),
    }),
    output: savedView,
  }),
  run: async ({ store, board, actor }, { name, query, of }) => {
    if (of !== null) await requireBoard(store, of)
    return unwrap(await store.decide({ verb: 'save_view', board, actor, input: { name, query, board: of } }))
  },
})
