import { requireBoard } from '../boards/require-board.ts'
import { defineOperation } from '../shared/operation.ts'
import { findItems } from './find-items.ts'

export const readInbox = defineOperation({
  name: 'inbox',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List everything that waits for you, with the command for each.',
  schemas: ({ z, slug, inboxItem }) => ({
    input: z.object({
      board: slug.nullable().default(null).describe('Only this board; null: all boards'),
      limit: z.int().min(1).max(500).default(50).describe('At most this many cards'),
      after: z.string().nullable().default(null).describe('Only items after this position'),
      hidden: z.boolean().default(false).describe('Include hidden items'),
    }),
    output: z.object({
      /** The items that hold back the most work come first. */
      items: z.array(inboxItem).readonly(),
      /** The value of `after` for the next page, or null if there are no more items. */
      next: z.string().nullable(),
    }),
  }),
  run: async (context, asked) => {
    if (asked.board !== null) await requireBoard(context.store, asked.board)
    return findItems(context, asked)
  },
})
