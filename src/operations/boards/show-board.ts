import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const showBoard = defineOperation({
  name: 'boards show',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show a board with its settings.',
  schemas: () => import('./show-board.schema.ts'),
  run: (context, { slug }) => boardNow(context, slug ?? context.board),
})
