import { makeSpecification } from '../../planning/plans/make-plan.ts'
import { defineOperation } from '../shared/operation.ts'
import { planCard } from './plan-card.ts'

export const specifyTask = defineOperation({
  name: 'specify',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Let the planner model turn a rough card in triage into one that an agent can do.',
  schemas: ({ z, planInputShape, planResult }) => ({ input: z.object(planInputShape), output: planResult }),
  run: (context, input) => planCard(context, input, makeSpecification),
})
