import { actOnCard } from '../shared/act-on-card.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireGoalAgentOf } from './require-goal-agent.ts'

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
  run: async (context, { task, ...input }) => {
    await requireGoalAgentOf(context, task, input)
    return actOnCard(context, task, { verb: 'assign', input, participle: 'assigned' })
  },
})
