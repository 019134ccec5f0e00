import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const unarchiveTask = defineOperation({
  name: 'unarchive',
  kind: 'command',
  actor: 'person',
  scope: 'card',
  summary: 'Restore an archived card with its earlier status.',
  schemas: ({ z, cardRef, taskView }) => ({
    input: z.object({ task: cardRef }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'unarchive',
      input,
      participle: 'unarchived',
    }),
})
