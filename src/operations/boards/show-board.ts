import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const showBoard = defineOperation({
  name: 'boards show',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show a board with its settings.',
  schemas: ({ z, slug, boardView }) => ({
    input: z.object({ slug: slug.nullable().default(null).describe('The board; null: the current board') }),
    output: boardView,
  }),
  run: (context, { slug }) => boardNow(context, slug ?? context.board),
})
