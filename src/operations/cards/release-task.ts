import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const releaseTask = defineOperation({
  name: 'release',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Release a card from hold.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'release',
      input,
      participle: 'released',
    }),
})
