/**
 * Plans new cards in triage on boards with the setting `autoDecompose`, one card at a time. It runs beside the
 * dispatcher, not in its passes, so a slow model delays no ready card. The store counts the planning attempts of each
 * card: see core/planning.ts.
 */
import { PLANNER_ACTOR } from '../../core/actor.ts'
import { BoardError, asBoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { PLAN_LEASE_MS } from '../../core/planning.ts'
import { cut } from '../../core/text.ts'
import type { Environment } from '../../config/environment.ts'
import type { Store } from '../../storage/store.ts'
import { modelFault } from '../models/model.ts'
import { applyPlan } from '../plans/apply-plan.ts'
import { makeSplit } from '../plans/make-plan.ts'
import { startLoop } from './background-loop.ts'
import type { BackgroundLoop } from './background-loop.ts'

export interface AutoPlannerContext {
  readonly store: Store
  readonly home: string
  readonly env: Environment
  /** The only board to plan. Null means all boards. */
  readonly onlyBoard: string | null
  /** Called with a sentence for the user if cards cannot be planned. */
  readonly onNotice: (text: string) => void
}

const FAILURE_LENGTH = 500

export const startAutoPlanner = (context: AutoPlannerContext): Promise<BackgroundLoop> =>
  startLoop(context, (onNotice, stop) => planNext({ ...context, onNotice }, stop))

/** Tries to plan one card. Returns true if more cards may be waiting. */
export async function planNext(context: AutoPlannerContext, stop: AbortSignal): Promise<boolean> {
  const { store, home, env, onlyBoard, onNotice } = context
  const boards = (await store.boards()).filter(
    ({ slug, settings, archivedAt }) =>
      settings.autoDecompose && archivedAt === null && (onlyBoard === null || slug === onlyBoard),
  )
  if (boards.length === 0) return false
  const fault = await modelFault('planner', { home, env })
  if (fault !== null) {
    onNotice(`Cards are not planned: ${fault}`)
    return false
  }
  for (const { slug } of boards) {
    const [id] = await store.plannableCards(slug, await store.now(), 1)
    if (id !== undefined && !stop.aborted && (await planCard(context, { board: slug, id }, stop))) return true
  }
  return false
}

interface Address {
  readonly board: string
  readonly id: TaskId
}

/**
 * Returns false if another machine plans the card, or if the board has used all its planning attempts for this hour.
 */
async function planCard(context: AutoPlannerContext, { board, id }: Address, stop: AbortSignal): Promise<boolean> {
  const { store } = context
  const begun = await store.decide({ verb: 'begin_plan', board, actor: PLANNER_ACTOR, input: { task: id } })
  if (!begun.ok) return false
  const { attempt } = begun.result
  const failure = await tryPlan(context, { board, id }, stop)
  if (failure === null || stop.aborted) return true
  const reason = cut(failure.message, FAILURE_LENGTH)
  await store.decide({ verb: 'fail_plan', board, actor: PLANNER_ACTOR, input: { task: id, attempt, reason } })
  return true
}

/** Plans one card. Returns the error, or null. A card that has left triage in the meantime is not an error. */
async function tryPlan(
  { store, home, env }: AutoPlannerContext,
  { board, id }: Address,
  stop: AbortSignal,
): Promise<BoardError | null> {
  // This attempt must end before another machine may start one.
  const lease = AbortSignal.timeout(PLAN_LEASE_MS / 2)
  try {
    const task = await store.task(board, id)
    if (task === null) return null
    const plan = await makeSplit({ store, task, home, env, signal: AbortSignal.any([stop, lease]) })
    await applyPlan(plan, { store, task, home, actor: PLANNER_ACTOR })
    return null
  } catch (error) {
    if (stop.aborted) return null
    if (lease.aborted) return new BoardError('model_unavailable', 'The planner model took too long.')
    const failure = asBoardError(error)
    return failure.code === 'wrong_status' || failure.code === 'task_not_found' ? null : failure
  }
}
