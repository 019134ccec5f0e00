/** When a dispatcher must look at a card again, and in which order ready cards start. Both are stored with the card. */
import type { Board } from '../board.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'

type Timed = Pick<Task, 'status' | 'deletedAt' | 'cooldownUntil' | 'guardUntil' | 'scheduledAt'>

/** The earliest automatic start: after the cool-down and the respawn guard. */
export const earliestStart = (task: Pick<Task, 'cooldownUntil' | 'guardUntil'>): number =>
  Math.max(task.cooldownUntil ?? 0, task.guardUntil ?? 0)

/**
 * The next time at which a dispatcher must look at the card; null if it has no deadline. This time may be too early,
 * because a heartbeat renews the lease and does not update this time. It is never too late. A ready card with a
 * deadline does not start until a dispatcher looks at it.
 */
export function nextLook(task: Timed, run: Run | null, now: number): number | null {
  if (task.deletedAt !== null) return null
  switch (task.status) {
    case 'running':
      return run ? nextLookAtRun(run) : null
    case 'scheduled':
      return task.scheduledAt
    case 'todo':
    case 'ready':
    case 'review': {
      const start = earliestStart(task)
      return start > now ? start : null
    }
    case 'triage':
    case 'blocked':
    case 'done':
    case 'archived':
      return null
  }
}

/** The next deadline of an open run. */
export function nextLookAtRun(run: Run): number | null {
  if (run.kind === 'manual') return null
  const deadlines = [
    run.registeredAt === null ? run.startDeadlineAt : null,
    run.leaseUntil,
    run.maxRuntimeMs === null ? null : run.startedAt + run.maxRuntimeMs,
  ].filter((at) => at !== null)
  return deadlines.length === 0 ? null : Math.min(...deadlines)
}

/**
 * The smallest rank starts first. One step of priority counts as `starvationMs` of waiting, so no card waits forever.
 */
export const rankOf = (task: Pick<Task, 'createdAt' | 'priority'>, board: Pick<Board, 'settings'>): number =>
  task.createdAt - task.priority * board.settings.starvationMs
