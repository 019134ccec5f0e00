import { actOnCard } from '../shared/act-on-card.ts'
import { giveAnswer } from './give-answer.ts'
import { defineOperation } from '../shared/operation.ts'

export const promoteTask = defineOperation({
  name: 'promote',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Move a waiting or blocked card to ready.',
  schemas: () => import('./promote-task.schema.ts'),
  run: (context, { task, reason, force }) =>
    actOnCard(context, task, {
      verb: 'promote',
      input: { force, ...giveAnswer(reason) },
      participle: 'promoted',
    }),
})
