import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const reclaimTask = defineOperation({
  name: 'reclaim',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Stop the run of a card and make the card ready again.',
  schemas: ({ z, reason, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, reason }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'reclaim',
      input,
      participle: 'reclaimed',
      applied: (_, run) => run.outcome === 'reclaimed',
    }),
})
