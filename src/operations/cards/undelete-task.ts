import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const undeleteTask = defineOperation({
  name: 'undelete',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Restore a card from the trash, with its files and history.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'undelete',
      input,
      participle: 'undeleted',
      deleted: true,
    }),
})
