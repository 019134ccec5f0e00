/** Makes a plan for a card, applies a plan, or does both. */
import { applyPlan } from '../../planning/plans/apply-plan.ts'
import type { PlanRequest } from '../../planning/plans/make-plan.ts'
import type { Plan } from '../../planning/plans/plan.ts'
import { requireGoalAgent } from '../cards/require-goal-agent.ts'
import { BoardError } from '../../core/errors.ts'
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
  context: BoardContext,
  { task: typed, plan: given, apply, hold }: Planning,
  make: (request: PlanRequest) => Promise<Plan>,
): Promise<PlanResult> {
  const { store, actor, callerGone } = context
  const { home } = context.options
  const address = await resolveTask(store, typed)
  const task = await cardNow(store, address)
  const plan = given ?? (await untilGone(callerGone?.() ?? NEVER, (signal) => make({ store, task, home, signal })))
  if (given === null && !apply) return { id: task.id, applied: false, plan, children: [], task }
  if (plan.kind === 'specify') await requireGoalAgent(context, { goal: task.goal, assignee: plan.assignee })
  const children = await applyPlan(plan, { store, task, actor, home, hold })
  return { id: task.id, applied: true, plan, children: [...children], task: await cardNow(store, address) }
}

/** A signal that never aborts, for callers that cannot disconnect. Only the timeout of the model ends their request. */
const NEVER = new AbortController().signal

/** If the caller disconnects, the request to the model is cancelled. */
const untilGone = <T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  ask(signal).catch((error: unknown) => {
    throw signal.aborted ? new BoardError('model_unavailable', 'The planner was cancelled. Ask it again.') : error
  })
