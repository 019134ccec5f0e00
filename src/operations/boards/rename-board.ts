import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const renameBoard = defineOperation({
  name: 'boards rename',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Give a board another name for people; its slug stays.',
  schemas: () => import('./rename-board.schema.ts'),
  run: async (context, { slug, name }) => {
    const { changed: _, ...board } = await changeBoard(context, slug, { name })
    return board
  },
})
