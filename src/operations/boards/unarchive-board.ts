import { archiveBoard } from './archive-board.ts'
import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const unarchiveBoard = defineOperation({
  name: 'boards unarchive',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Restore an archived board.',
  schemas: () => archiveBoard.schemas(),
  run: async (context, { slug }) => {
    const { changed: _, ...board } = await changeBoard(context, slug, { archived: false })
    return board
  },
})
