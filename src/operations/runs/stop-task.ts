import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const stopTask = defineOperation({
  name: 'stop',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Stop the run of a card and put the card on hold. This does not count as a failure.',
  schemas: ({ z, reason, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, reason }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'stop',
      input,
      participle: 'stopped',
      applied: (_, run) => run.outcome === 'stopped',
    }),
})
