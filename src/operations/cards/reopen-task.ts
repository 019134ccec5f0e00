import { actOnCard } from '../shared/act-on-card.ts'
import { giveAnswer } from './give-answer.ts'
import { defineOperation } from '../shared/operation.ts'

export const reopenTask = defineOperation({
  name: 'reopen',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Work on a finished card again, or on one in review.',
  schemas: ({ z, answer, typedCard, taskView }) => ({
    input: z.object({ task: typedCard, reason: answer }),
    output: taskView,
  }),
  run: (context, { task, reason }) =>
    actOnCard(context, task, {
      verb: 'reopen',
      input: giveAnswer(reason),
      participle: 'reopened',
    }),
})
