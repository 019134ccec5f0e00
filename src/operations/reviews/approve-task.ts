import { newRunId } from '../../util/mint.ts'
import { finishCard } from '../cards/finish-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const approveTask = defineOperation({
  name: 'approve',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Accept a card in review: it is done.',
  schemas: () => import('./approve-task.schema.ts'),
  run: (context, { task, ...said }) =>
    finishCard(context, task, {
      verb: 'approve',
      input: { ...said, runId: newRunId() },
      participle: 'approved',
    }),
})
