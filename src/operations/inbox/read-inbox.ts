import { INBOX_KINDS } from '../../core/inbox.ts'
import { requireBoard } from '../boards/require-board.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
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
      kinds: z.array(z.enum(INBOX_KINDS)).min(1).readonly().exactOptional().describe('Only items of these kinds'),
      hidden: z.boolean().default(false).describe('Include hidden items'),
      onlyHidden: z.boolean().default(false).describe('Only hidden items'),
      item: z.string().exactOptional().describe('Only this card'),
      steps: z.boolean().default(false).describe('Include the last steps of each agent, which takes longer'),
    }),
    output: z.object({
      /** The items; those that block the most work come first. */
      items: z.array(inboxItem).readonly(),
      /** The value of `after` for the next page. Null means that the inbox has no more items. */
      next: z.string().nullable(),
    }),
  }),
  run: async (context, asked) => {
    if (asked.board !== null) await requireBoard(context.store, asked.board)
    const { item, onlyHidden, ...rest } = asked
    const wanted = { ...rest, hidden: onlyHidden ? ('only' as const) : rest.hidden }
    if (item === undefined) return findItems(context, wanted)
    return findItems(context, { ...wanted, only: (await resolveTask(context.store, item)).id })
  },
})
