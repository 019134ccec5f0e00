import { makeSplit } from '../../planning/plans/make-plan.ts'
import { defineOperation } from '../shared/operation.ts'
import { planCard } from './plan-card.ts'

export const decomposeTask = defineOperation({
  name: 'decompose',
  kind: 'command',
  actor: 'orchestrator',
  scope: 'card',
  summary: 'Let the planner model split a rough card in triage into a graph of cards.',
  schemas: ({ z, planInputShape, planResult }) => ({ input: z.object(planInputShape), output: planResult }),
  run: (context, input) => planCard(context, input, makeSplit),
})
