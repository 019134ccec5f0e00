import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const releaseTask = defineOperation({
  name: 'release',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Release a card from hold.',
  schemas: ({ z, typedCard, taskView }) => ({
    input: z.object({ task: typedCard }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'release',
      input,
      participle: 'released',
    }),
})
