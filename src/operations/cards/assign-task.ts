import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const assignTask = defineOperation({
  name: 'assign',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Assign a card to an agent, or unassign it.',
  schemas: ({ z, name, cardRef, taskView }) => ({
    input: z.object({ task: cardRef, assignee: name.nullable().describe('An agent; null: unassigned') }),
    output: taskView,
  }),
  run: (context, { task, ...input }) =>
    actOnCard(context, task, {
      verb: 'assign',
      input,
      participle: 'assigned',
    }),
})
