import { actOnCard, answerFrom } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const unblockTask = defineOperation({
  name: 'unblock',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Let a blocked or scheduled card continue.',
  schemas: ({ z, answer, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      reason: answer,
      reset: z.boolean().default(false).describe('Also reset the count of attempts in the last 24 hours; people only'),
    }),
    output: taskView,
  }),
  run: (context, { task, reason, reset }) =>
    actOnCard(context, task, {
      verb: 'unblock',
      input: { ...answerFrom(reason), reset },
      participle: 'unblocked',
    }),
})
