import { chooseEvents } from './event-filter.ts'
import { EVENTS_PAGE, follow, requireCursor } from './follow.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

export const watchBoard = defineOperation({
  name: 'watch',
  kind: 'stream',
  actor: 'person',
  scope: 'board',
  summary: 'Watch a board as it changes. On a terminal, a live board with keys.',
  schemas: ({ z, line, name, followed }) => ({
    input: z.object({
      all: z.boolean().default(false).describe('The events of all boards'),
      assignee: name.exactOptional().describe('Only cards of this agent'),
      tenant: line.exactOptional().describe('Only cards for this tenant'),
      kinds: z.array(z.string()).readonly().exactOptional().describe('Only events of these kinds'),
      since: z.string().exactOptional().describe('Start after this cursor instead of now'),
    }),
    output: followed,
  }),
  run: async function* (context, { since, all, ...chosen }) {
    const from = requireCursor(since)
    const { store, board } = context
    if (!all) await requireBoard(store, board)
    yield* follow(context, {
      since: from ?? (await store.feed(null)).cursor,
      continues: true,
      read: async (cursor) => {
        const page = await store.feed(cursor, EVENTS_PAGE)
        return { ...page, events: await chooseEvents(store, page.events, { ...chosen, ...(!all && { board }) }) }
      },
    })
  },
})
