/** Whether the supervisor of a claimed run may still register. */
import { missedStart } from '../../core/limits/lease.ts'
import type { Identity, Run } from '../../core/run.ts'
import { sightOf } from '../../processes/identity.ts'
import { runDirectory } from '../../runs/files/run-directory.ts'
import { readSupervisor } from '../../supervisor/start/started-supervisor.ts'
import type { DispatchContext } from '../dispatch-context.ts'

/**
 * `coming`: its supervisor may still register · `late`: it did not register in time · `dead`: it is dead ·
 * `unseen`: it was started where this dispatcher cannot see it, so only its lease counts
 */
export type Start = 'coming' | 'late' | 'dead' | 'unseen'

/** Without a start deadline: how long the claimer may take to start a supervisor. */
const UNNOTED_MS = 30_000

export interface StartLook {
  /** By the store's clock; null when the clock is in doubt. */
  readonly now: number | null
  /** Whether the run has been watched for that long, in running time. */
  readonly wasWatchedFor: (ms: number) => boolean
  /** This dispatcher; null for a look that only reads. */
  readonly own: Identity | null
  /** Whether this process has the exit status of the supervisor. */
  readonly hasExit: boolean
  /** Whether this process failed to start one. */
  readonly startFailed: boolean
}

/** A start deadline of 0 means: a dead supervisor is noticed at once, and a live one may take any time. */
export function startStateOf(
  { host, store, options }: Pick<DispatchContext, 'host' | 'store' | 'options'>,
  run: Run,
  { now, wasWatchedFor, own, hasExit, startFailed }: StartLook,
): Start {
  if (startFailed) return 'dead'
  const deadlineMs = (run.startDeadlineAt ?? run.startedAt) - run.startedAt
  const noted = readSupervisor(runDirectory(options.home, run.id))
  const sight = noted === null ? null : sightOf(host, noted, store)
  const isOwn = own !== null && run.dispatcher !== null && isSameProcess(run.dispatcher, own)
  // If this process started it, its exit status arrives soon; a signal makes a difference.
  if (sight === 'dead' && (hasExit || !isOwn)) return 'dead'
  if (sight === 'unseen' || (run.dispatcher !== null && sightOf(host, run.dispatcher, store) === 'unseen'))
    return 'unseen'
  if (deadlineMs > 0) return (now !== null && missedStart(run, now)) || wasWatchedFor(deadlineMs) ? 'late' : 'coming'
  if (sight !== null) return 'coming'
  return isStarting(run, { host, store, own }) && !wasWatchedFor(UNNOTED_MS) ? 'coming' : 'late'
}

/** Whether its claimer may be between the claim and the start. This dispatcher itself never is at this point. */
function isStarting(
  { dispatcher }: Run,
  { host, store, own }: Pick<DispatchContext, 'host' | 'store'> & { own: Identity | null },
): boolean {
  if (dispatcher === null) return true
  return sightOf(host, dispatcher, store) === 'alive' && !(own !== null && isSameProcess(dispatcher, own))
}

export const isSameProcess = (one: Identity, other: Identity): boolean =>
  one.pid === other.pid && one.startTime === other.startTime && one.bootId === other.bootId
