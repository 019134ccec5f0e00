import { viewOfBoard } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const listBoards = defineOperation({
  name: 'boards list',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the boards, with card counts by status.',
  schemas: ({ z, boardView }) => ({
    input: z.object({ archived: z.boolean().default(false).describe('Include archived boards') }),
    output: z.array(boardView).readonly(),
  }),
  run: async (context, { archived }) => {
    const boards = await context.store.boards()
    const wanted = boards.filter((board) => archived || board.archivedAt === null)
    return Promise.all(wanted.map((board) => viewOfBoard(context, board)))
  },
})
