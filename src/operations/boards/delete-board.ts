import { forgetBoard } from '../../config/current-board.ts'
import { moveToTrash } from '../../config/trash.ts'
import { inHome } from '../../config/home.ts'
import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'
import { noBoard } from '../../core/errors.ts'

/**
 * Deletes a board. Its rows are deleted in one transaction. Then its files are moved to the trash, because they may
 * contain work that has not landed.
 */
export const deleteBoard = defineOperation({
  name: 'boards delete',
  kind: 'command',
  actor: 'person',
  scope: 'board',
  summary: 'Delete an archived or empty board and all its cards.',
  schemas: ({ z, slug }) => ({
    input: z.object({ slug: slug.describe('An archived or empty board') }),
    output: z.object({
      slug,
      name: z.string(),
      /** The new path of the board's files on this machine. Null means that the board had no files here. */
      files: z.string().nullable(),
    }),
  }),
  run: async ({ store, actor, options: { home } }, { slug }) => {
    const board = await store.board(slug)
    if (board === null) throw noBoard(slug)
    unwrap(await store.decide({ verb: 'delete_board', board: slug, actor, input: {} }))
    await forgetBoard(home, slug)
    return { slug, name: board.name, files: await moveToTrash(home, inHome.board(home, slug)) }
  },
})
