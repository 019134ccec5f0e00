import { actOnCard, answerFrom } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const reopenTask = defineOperation({
  name: 'reopen',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Reopen a finished card, or one in review.',
  schemas: ({ z, answer, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, reason: answer }),
    output: taskView,
  }),
  run: (context, { task, reason }) =>
    actOnCard(context, task, {
      verb: 'reopen',
      input: answerFrom(reason),
      participle: 'reopened',
    }),
})
