import { newRunId } from '../../util/mint.ts'
import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const requestReview = defineOperation({
  name: 'request-review',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Ask for a review of a card.',
  schemas: ({ z, json, name, text, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      summary: text.nullable().default(null).describe('What to review'),
      metadata: json.nullable().default(null).describe('A JSON object to keep with the run'),
      reviewer: name.nullable().default(null).describe('The agent that reviews the card'),
    }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'request_review',
      input: { ...input, runId: newRunId() },
      participle: 'sent to review',
    }),
})
