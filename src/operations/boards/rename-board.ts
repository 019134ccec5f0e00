import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const renameBoard = defineOperation({
  name: 'boards rename',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Change the display name of a board, not its slug.',
  schemas: ({ z, line, slug, boardView }) => ({
    input: z.object({
      slug: slug.describe('The board'),
      name: line.describe('Its new display name'),
    }),
    output: boardView,
  }),
  run: async (context, { slug, name }) => {
    const { changed: _, ...board } = await changeBoard(context, slug, { name })
    return board
  },
})
