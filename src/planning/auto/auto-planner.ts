/**
 * Plans new cards in triage on boards with the setting `autoDecompose`, one card at a time. It runs beside the
 * dispatcher, not in its passes, so a slow model delays no ready card. The store counts the planning attempts of each
 * card: see core/planning.ts. The planner looks for cards after each change of the store and once a minute. `stop` also
 * cancels a running request to the model.
 */
import { PLANNER_ACTOR } from '../../core/actor.ts'
import { BoardError, asBoardError, isTemporary } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { PLAN_LEASE_MS } from '../../core/planning.ts'
import { cut } from '../../core/text.ts'
import type { Environment } from '../../config/environment.ts'
import type { Store } from '../../storage/store.ts'
import { modelFault } from '../models/model.ts'
import { applyPlan } from '../plans/apply-plan.ts'
import { makeSplit } from '../plans/make-plan.ts'

export interface AutoPlannerContext {
  readonly store: Store
  readonly home: string
  readonly env: Environment
  /** The only board to plan. Null means all boards. */
  readonly onlyBoard: string | null
  /** Called with a sentence for the user if cards cannot be planned. */
  readonly onNotice: (text: string) => void
}

export interface AutoPlanner {
  stop(): Promise<void>
}

const LOOK_MS = 60_000
/** Changes of the store within this time lead to one search for cards. */
const DEBOUNCE_MS = 1_000
const FAILURE_LENGTH = 500

export async function startAutoPlanner(context: AutoPlannerContext): Promise<AutoPlanner> {
  const stop = new AbortController()
  let wake = (): void => {}
  const watcher = await context.store.watch(() => wake())
  const loop = async (): Promise<void> => {
    const notices = new Set<string>()
    const onNotice = (text: string): void => {
      if (!notices.has(text)) context.onNotice(text)
      notices.add(text)
    }
    while (!stop.signal.aborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const hasPlanned = await planNext({ ...context, onNotice }, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted && !isTemporary(error)) onNotice(asBoardError(error).message)
        return false
      })
      if (!hasPlanned) await waitFor(changed, stop.signal)
    }
  }
  const ended = loop()
  return {
    stop: async () => {
      stop.abort()
      await watcher.stop()
      await ended
    },
  }
}

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

/** Returns false if another machine plans the card, or if the board has used its planning attempts of this hour. */
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

/** Plans one card. Returns the error, or null. It is no error if the card has left triage meanwhile. */
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

/** Waits for a change of the store, but at most a minute. */
async function waitFor(changed: Promise<void>, stop: AbortSignal): Promise<void> {
  let done = (): void => {}
  const ended = new Promise<void>((resolve) => (done = resolve))
  const timer = setTimeout(done, LOOK_MS)
  let debounce: NodeJS.Timeout | undefined
  void changed.then(() => (debounce = setTimeout(done, DEBOUNCE_MS)))
  stop.addEventListener('abort', done)
  await ended
  stop.removeEventListener('abort', done)
  clearTimeout(timer)
  clearTimeout(debounce)
}
