import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'

export const assignTask = defineOperation({
  name: 'assign',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Give a card to an agent, or to nobody.',
  schemas: ({ z, name, typedCard, taskView }) => ({
    input: z.object({ task: typedCard, assignee: name.nullable().describe('An agent; null: nobody') }),
    output: taskView,
  }),
  run: (context, { task, ...said }) =>
    actOnCard(context, task, {
      verb: 'assign',
      input: said,
      participle: 'assigned',
    }),
})
