import { pointAtBoard } from '../../config/current-board.ts'
import { BoardError } from '../../core/errors.ts'
import { boardNow } from './board-view.ts'
import { defineOperation } from '../shared/operation.ts'

/** Sets the current board. The current board is a setting of this machine, so the store does not change. */
export const switchBoard = defineOperation({
  name: 'boards switch',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Set the current board.',
  schemas: ({ z, slug, boardView }) => ({
    input: z.object({ slug: slug.describe('The new current board') }),
    output: boardView,
  }),
  run: async ({ options, openStore, endsAfter = false }, { slug }) => {
    const store = await openStore('read')
    try {
      const board = await boardNow({ store, options: { currentBoard: slug } }, slug)
      if (board.archivedAt !== null)
        throw new BoardError(
          'board_archived',
          `Board ${slug} is archived. To restore it: muster boards unarchive ${slug}`,
          {
            details: { board: slug },
          },
        )
      await pointAtBoard(options.home, slug)
      return board
    } finally {
      await store.close({ exiting: endsAfter })
    }
  },
})
