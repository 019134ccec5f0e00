/** Makes a plan for a card, applies a plan, or does both. */
import { applyPlan } from '../../planning/plans/apply-plan.ts'
import type { PlanRequest } from '../../planning/plans/make-plan.ts'
import type { Plan } from '../../planning/plans/plan.ts'
import { cardNow } from '../shared/act-on-card.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { PlanResult } from './views.ts'

interface Planning {
  readonly task: string
  readonly plan: Plan | null
  readonly apply: boolean
  readonly hold: boolean
}

/** A plan that the caller passes is applied unchanged, so a person gets exactly the plan that they saw. */
export async function planCard(
  { store, actor, options: { home } }: BoardContext,
  { task: typed, plan: given, apply, hold }: Planning,
  make: (request: PlanRequest) => Promise<Plan>,
): Promise<PlanResult> {
  const address = await resolveTask(store, typed)
  const task = await cardNow(store, address)
  const plan = given ?? (await make({ store, task, home, signal: NEVER }))
  if (given === null && !apply) return { id: task.id, applied: false, plan, children: [], task }
  const children = await applyPlan(plan, { store, task, actor, home, hold })
  return { id: task.id, applied: true, plan, children: [...children], task: await cardNow(store, address) }
}

/** This signal never aborts, because the model has a timeout of its own. */
const NEVER = new AbortController().signal
