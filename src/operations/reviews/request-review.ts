import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const requestReview = defineOperation({
  name: 'request-review',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Ask for a review of a card.',
  schemas: () => import('./request-review.schema.ts'),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'request_review',
      input: { ...said, runId: newRunId() },
      participle: 'put into review',
    }),
})
