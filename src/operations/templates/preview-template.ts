import { defineOperation } from '../shared/operation.ts'
import { applyInput } from './apply-template.ts'
import { cardsOfTemplate, unknownAgents, viewCards } from './cards-of-template.ts'

export const previewTemplate = defineOperation({
  name: 'preview-apply',
  kind: 'query',
  actor: 'orchestrator',
  scope: 'board',
  summary: 'Show the cards that a template would create, and create nothing.',
  schemas: (kit) => ({ input: applyInput(kit), output: kit.appliedTemplate }),
  run: async (context, asked) => {
    const cards = await cardsOfTemplate(context, asked)
    return {
      template: asked.template,
      created: false,
      cards: viewCards(cards),
      warnings: await unknownAgents(context, cards),
    }
  },
})
