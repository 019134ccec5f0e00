import { STATUSES } from '../../core/vocabulary.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import { requireBoard } from './require-board.ts'

export const showGraph = defineOperation({
  name: 'graph',
  kind: 'query',
  actor: 'person',
  scope: 'board',
  summary: 'Show cards that are linked with each other.',
  schemas: ({ z, cardRef, count, listedTask, slug, taskId, time }) => ({
    input: z.object({
      task: cardRef
        .exactOptional()
        .describe('A card; without a card, the graph starts from the open cards of the board'),
      limit: z.int().min(2).max(500).default(200).describe('At most this many cards'),
    }),
    output: z.object({
      board: slug,
      now: time,
      cards: z
        .array(
          listedTask
            .pick({ id: true, title: true, assignee: true, held: true, blockKind: true, breakerOpen: true })
            .extend({ status: z.enum(STATUSES), openParents: count }),
        )
        .readonly(),
      /** `isWaived`: a person let the child start although the parent is unfinished. */
      links: z.array(z.object({ parent: taskId, child: taskId, isWaived: z.boolean() })).readonly(),
      /** Whether further cards are linked with these cards. */
      isCut: z.boolean(),
    }),
  }),
  run: async ({ store, board: current }, { task: typed, limit }) => {
    const card = typed === undefined ? null : await resolveTask(store, typed)
    const board = card?.board ?? current
    if (card === null) await requireBoard(store, board)
    const [graph, now] = await Promise.all([
      store.linkedCards({ board, task: card?.id ?? null, most: limit }),
      store.now(),
    ])
    const cards = graph.cards.map(({ id, title, status, assignee, held, blockKind, breakerOpen, openParents }) => ({
      id,
      title,
      status,
      assignee,
      held,
      blockKind,
      breakerOpen,
      openParents,
    }))
    return { board, now, cards, links: graph.links, isCut: graph.isCut }
  },
})
