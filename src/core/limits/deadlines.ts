/**
 * Computes when a dispatcher must look at a card again, and in which order ready cards start. Both values are stored
 * with the card.
 */
import type { Board } from '../board.ts'
import type { Run } from '../run.ts'
import type { Task } from '../task.ts'

type Timed = Pick<Task, 'status' | 'deletedAt' | 'cooldownUntil' | 'guardUntil' | 'scheduledAt'>

/** The earliest time of an automatic start, after all waits of the card. */
export const earliestStart = (task: Pick<Task, 'cooldownUntil' | 'guardUntil'>): number =>
  Math.max(task.cooldownUntil ?? 0, task.guardUntil ?? 0)

/**
 * The next time at which a dispatcher must look at the card. Null means that the card has no deadline. The time may be
 * too early, because a heartbeat of the run extends its lease without updating this time. The time is never too late.
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
 * The rank of a card: the card with the smallest rank starts first. Raising the priority by one has the same effect as
 * waiting for `starvationMs`, so no card waits forever. `rankShift` is how far a person moved the card in its column.
 */
export const rankOf = (
  { createdAt, priority, rankShift }: Pick<Task, 'createdAt' | 'priority' | 'rankShift'>,
  { settings }: Pick<Board, 'settings'>,
): number => createdAt - priority * settings.starvationMs + rankShift
