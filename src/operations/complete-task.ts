import { newRunId } from '../util/mint.ts'
import { actOnCard } from './act-on-card.ts'
import { defineOperation } from './operation.ts'

export const completeTask = defineOperation({
  name: 'complete',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Say that a card is finished.',
  schemas: () => import('./complete-task.schema.ts'),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'complete',
      input: { ...said, runId: newRunId() },
      participle: 'completed',
      applied: (_, run) => run.outcome === 'completed',
    }),
})
