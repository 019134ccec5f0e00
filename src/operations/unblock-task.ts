import { actOnCard } from './act-on-card.ts'
import { giveAnswer } from './give-answer.ts'
import { defineOperation } from './operation.ts'

export const unblockTask = defineOperation({
  name: 'unblock',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Let a blocked or scheduled card go on, with a clean slate.',
  schemas: () => import('./unblock-task.schema.ts'),
  run: (context, { task, reason }) =>
    actOnCard(context, task, {
      verb: 'unblock',
      input: giveAnswer(reason),
      participle: 'unblocked',
    }),
})
