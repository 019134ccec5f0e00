import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const holdTask = defineOperation({
  name: 'hold',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Put a card on hold, so that it does not start. A live run continues.',
  schemas: ({ z, reason, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, reason }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'hold',
      input,
      participle: 'held',
    }),
})
