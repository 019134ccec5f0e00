import { forgetBoard } from '../../config/current-board.ts'
import { DEFAULT_BOARD } from '../../core/ids.ts'
import { changeBoard } from './change-board.ts'
import { defineOperation } from '../shared/operation.ts'

export const archiveBoard = defineOperation({
  name: 'boards archive',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Archive a board; its cards no longer start.',
  schemas: ({ z, slug, boardView }) => ({
    input: z.object({ slug: slug.describe('The board') }),
    output: boardView,
  }),
  run: async (context, { slug }) => {
    const { changed: _, ...board } = await changeBoard(context, slug, { archived: true })
    if (!(await forgetBoard(context.options.home, slug))) return board
    return { ...board, isCurrent: slug === DEFAULT_BOARD }
  },
})
