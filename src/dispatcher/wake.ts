/** What the clock does: cards whose wait or schedule is over go on, and deadlines that moved are written anew. */
import { nextLook } from '../core/limits/deadlines.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import { isRunning } from '../core/status.ts'
import { DISPATCHER } from './actor.ts'
import type { LeaderContext } from './dispatch-context.ts'

/** A pass stays short; what is left is due at the next one. */
const BATCH = 200

export async function wake({ store }: Pick<LeaderContext, 'store'>): Promise<readonly TaskId[]> {
  const now = await store.now()
  const due = await store.due(now, BATCH)
  const runs = due.some(({ status }) => isRunning(status)) ? await openRunsById(store) : new Map<string, Run>()
  const woken: TaskId[] = []
  for (const { board, id, status, currentRunId } of due) {
    if (isRunning(status) && !hasMoved(runs.get(currentRunId ?? ''), now)) continue
    const outcome = await store.decide({ verb: 'wake', board, actor: DISPATCHER, input: { task: id } })
    if (outcome.ok && !isRunning(status)) woken.push(id)
  }
  return woken
}

const openRunsById = async (store: LeaderContext['store']): Promise<Map<string, Run>> =>
  new Map((await store.openRuns(null)).map((run) => [run.id, run]))

/** Heartbeats do not touch the card. One whose deadline is really past is left: writing it would change nothing. */
function hasMoved(run: Run | undefined, now: number): boolean {
  if (run === undefined) return false
  const idle = { deletedAt: null, cooldownUntil: null, guardUntil: null, scheduledAt: null }
  const next = nextLook({ ...idle, status: 'running' }, run, now)
  return next === null || next > now
}
