import type { BoardEvent } from '../../core/event.ts'
import type { Store } from '../../storage/store.ts'
import { EVENTS_PAGE, follow, requireCursor } from './follow.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

export interface Chosen {
  readonly assignee?: string
  readonly tenant?: string
  readonly kinds?: readonly string[]
}

export const watchBoard = defineOperation({
  name: 'watch',
  kind: 'stream',
  actor: 'person',
  scope: 'board',
  summary: 'Watch a board as it changes, until you press Ctrl-C.',
  schemas: ({ z, line, name, followed }) => ({
    input: z.object({
      assignee: name.exactOptional().describe('Only cards of this agent'),
      tenant: line.exactOptional().describe('Only cards for this tenant'),
      kinds: z.array(z.string()).readonly().exactOptional().describe('Only events of these kinds'),
      since: z.string().exactOptional().describe('Start after this cursor instead of now'),
    }),
    output: followed,
  }),
  run: async function* (context, { since, ...chosen }) {
    const from = requireCursor(since)
    const { store, board } = context
    await requireBoard(store, board)
    yield* follow(context, {
      since: from ?? (await store.feed(null)).cursor,
      continues: true,
      read: async (cursor) => {
        const page = await store.feed(cursor, EVENTS_PAGE)
        const here = page.events.filter((event) => event.board === board)
        return { ...page, events: await chooseEvents(store, here, chosen) }
      },
    })
  },
})

/** Filters events by kind, and by the current assignee and tenant of their card. */
export async function chooseEvents(
  store: Store,
  events: readonly BoardEvent[],
  { assignee, tenant, kinds }: Chosen,
): Promise<readonly BoardEvent[]> {
  const asked = kinds === undefined ? events : events.filter(({ kind }) => kinds.includes(kind))
  if (assignee === undefined && tenant === undefined) return asked
  const cards = await store.tasksById(asked.flatMap(({ taskId }) => taskId ?? []))
  const chosen = new Set(
    cards
      .filter((card) => assignee === undefined || card.assignee === assignee)
      .filter((card) => tenant === undefined || card.tenant === tenant)
      .map(({ id }) => id),
  )
  return asked.filter(({ taskId }) => taskId !== null && chosen.has(taskId))
}
