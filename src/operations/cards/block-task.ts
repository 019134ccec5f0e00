import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const blockTask = defineOperation({
  name: 'block',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Stop a card until a person lets it go on.',
  schemas: () => import('./block-task.schema.ts'),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'block',
      input: { ...said, runId: newRunId() },
      participle: 'blocked',
      applied: (_, run) => run.outcome === 'blocked',
    }),
})
