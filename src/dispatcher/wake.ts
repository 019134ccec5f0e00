/** Wakes cards whose wait or schedule is over, and updates deadlines that have moved. */
import { nextLookAtRun } from '../core/limits/deadlines.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { isRunning } from '../core/status.ts'
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

/** The maximum number of cards in one pass. The next pass handles the other cards. */
const BATCH = 200

export async function wakeDueCards({ store }: Pick<LeaderContext, 'store'>): Promise<readonly TaskId[]> {
  const now = await store.now()
  const due = await store.due(now, BATCH)
  const runs = due.some(({ status }) => isRunning(status)) ? await openRunsById(store) : new Map<string, Run>()
  const woken: TaskId[] = []
  for (const { board, id, status, currentRunId } of due) {
    if (isRunning(status) && !hasMoved(runs.get(currentRunId ?? ''), now)) continue
    const outcome = await store.decide({ verb: 'wake', board, actor: DISPATCHER_ACTOR, input: { task: id } })
    if (outcome.ok && !isRunning(status)) woken.push(id)
  }
  return woken
}

const openRunsById = async (store: LeaderContext['store']): Promise<Map<string, Run>> =>
  new Map((await store.openRuns(null)).map((run) => [run.id, run]))

/**
 * Whether the deadline of the run is later now. A heartbeat moves the deadline without changing the card. If the
 * deadline has really passed, the run is recovered in another step.
 */
function hasMoved(run: Run | undefined, now: number): boolean {
  if (run === undefined) return false
  const next = nextLookAtRun(run)
  return next === null || next > now
}
