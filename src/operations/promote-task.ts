import { actOnCard } from './act-on-card.ts'
import { defineOperation } from './operation.ts'

export const promoteTask = defineOperation({
  name: 'promote',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Move a waiting or blocked card to ready.',
  schemas: () => import('./promote-task.schema.ts'),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'promote',
      input: said,
      participle: 'promoted',
    }),
})
