import { unwrap } from '../../core/command.ts'
import { defineOperation } from '../shared/operation.ts'
import type { SchemaKit } from '../shared/operation.ts'
import { cardsOfTemplate, unknownAgents, viewCards } from './cards-of-template.ts'

export const applyInput = ({ z, absolutePath, line }: SchemaKit) =>
  z.object({
    template: z.string().describe('The name of a template'),
    set: z
      .record(z.string(), z.union([z.string(), z.array(z.string()).readonly()]))
      .default({})
      .describe('The values of its variables, by name'),
    folder: absolutePath
      .nullable()
      .default(null)
      .describe('Also search the repository of this folder; null: the default directory of the board'),
    idempotencyKey: line.nullable().default(null).describe('Return the existing cards with this key instead'),
  })

export const applyTemplate = defineOperation({
  name: 'apply',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Create the cards of a template: all of them or none.',
  schemas: (kit) => ({ input: applyInput(kit), output: kit.appliedTemplate }),
  run: async (context, asked) => {
    const { store, board, actor } = context
    const cards = await cardsOfTemplate(context, asked)
    const warnings = await unknownAgents(context, cards)
    const outcome = await store.decide({
      verb: 'create',
      board,
      actor,
      input: { cards: cards.map(({ input }) => input) },
    })
    const { ids, created } = unwrap(outcome)
    const made = new Map((await store.tasksById(ids)).map((task) => [task.id, task]))
    if (created) {
      const views = viewCards(cards).map((view, at) => {
        const id = ids[at]
        const task = id === undefined ? undefined : made.get(id)
        return { ...view, id: task?.id ?? null, status: task?.status ?? null }
      })
      return { template: asked.template, created, cards: views, warnings }
    }
    const existing = [...made.values()].map(({ id, title, assignee, status, labels, checks }) => {
      const name = cards[0]?.name ?? ''
      return { name, id, title, assignee, status, parents: [], labels, checks }
    })
    return { template: asked.template, created, cards: existing, warnings: [] }
  },
})
