import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const deleteTask = defineOperation({
  name: 'delete',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Move a card to the trash; undelete restores it within a week.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'delete',
      input,
      participle: 'deleted',
      applied: (task) => task.deletedAt !== null,
    }),
})
