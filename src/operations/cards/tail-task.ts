import { EVENTS_PAGE, follow, requireCursor } from '../boards/follow.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export const tailTask = defineOperation({
  name: 'tail',
  kind: 'stream',
  actor: 'person',
  scope: 'card',
  summary: 'Return the events of a card, and follow new ones.',
  schemas: ({ z, followed }) => ({
    input: z.object({
      task: z.string().describe('The id of a card, or the beginning of one'),
      since: z.string().exactOptional().describe('Only events after this cursor'),
      follow: z.boolean().default(true).describe('Continue with new events'),
    }),
    output: followed,
  }),
  run: async function* (context, { task: typed, since, follow: continues }) {
    const from = requireCursor(since)
    const { store } = context
    const { board, id } = await resolveTask(store, typed, { deleted: true })
    yield* follow(context, {
      since: from,
      continues,
      read: (cursor) => store.cardFeed({ board, task: id }, cursor, EVENTS_PAGE),
    })
  },
})
