import { actOnCard } from './act-on-card.ts'
import { defineOperation } from './operation.ts'

export const unblockTask = defineOperation({
  name: 'unblock',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Let a blocked or scheduled card go on, with a clean slate.',
  schemas: () => import('./unblock-task.schema.ts'),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'unblock',
      input: said,
      participle: 'unblocked',
    }),
})
