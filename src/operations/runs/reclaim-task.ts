import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const reclaimTask = defineOperation({
  name: 'reclaim',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Take a running card back from its worker, with a clean slate.',
  schemas: ({ z, reason, typedCard, taskView }) => ({
    input: z.object({ task: typedCard, reason }),
    output: taskView,
  }),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'reclaim',
      input: said,
      participle: 'reclaimed',
      applied: (_, run) => run.outcome === 'reclaimed',
    }),
})
