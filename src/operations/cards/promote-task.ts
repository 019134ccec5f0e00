import { actOnCard, answerFrom } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const promoteTask = defineOperation({
  name: 'promote',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Move a waiting or blocked card to ready.',
  schemas: ({ z, answer, cardRef, taskView }) => ({
    input: z.object({
      task: cardRef,
      reason: answer,
      force: z.boolean().default(false).describe('Start even if a parent is unfinished (removes that dependency)'),
    }),
    output: taskView,
  }),
  run: (context, { task, reason, force }) =>
    actOnCard(context, task, {
      verb: 'promote',
      input: { force, ...answerFrom(reason) },
      participle: 'promoted',
    }),
})
