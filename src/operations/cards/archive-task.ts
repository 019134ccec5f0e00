import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { isArchived } from '../../core/status.ts'

export const archiveTask = defineOperation({
  name: 'archive',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Archive a card; cards that depend on it can start.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'archive',
      input,
      participle: 'archived',
      applied: (task) => isArchived(task.status),
    }),
})
