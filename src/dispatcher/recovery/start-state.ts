/** Decides whether the supervisor of a claimed run may still register. */
import { missedStart } from '../../core/limits/lease.ts'
import type { Identity, Run } from '../../core/run.ts'
import { livenessOf } from '../../processes/identity.ts'
import { runDirectory } from '../../runs/files/run-directory.ts'
import { readSupervisor } from '../../supervisor/start/started-supervisor.ts'
import type { DispatchContext } from '../dispatch-context.ts'

/**
 * `starting` means that the supervisor may still register. `late` means that the supervisor did not register in time.
 * `dead` means that its process is dead. `unseen` means that this dispatcher cannot see its process, so only the lease
 * counts.
 */
export type StartState = 'starting' | 'late' | 'dead' | 'unseen'

/** The time that the process that claimed the card may take to start a supervisor, if the run has no start deadline. */
const CLAIMER_START_MS = 30_000

export interface StartFacts {
  /** The time by the store's clock. Null means that this clock is not trusted. */
  readonly now: number | null
  /** Whether the dispatcher has watched the run for `ms`, by the monotonic clock. */
  readonly wasWatchedFor: (ms: number) => boolean
  /** The identity of this dispatcher. This is null in a preview. */
  readonly own: Identity | null
  /** Whether this process has the exit status of the supervisor. */
  readonly hasExit: boolean
  /** Whether this process failed to start the supervisor. */
  readonly startFailed: boolean
}

/**
 * Decides on the start of a supervisor. A start deadline of 0 means no deadline: a live supervisor may take as long as
 * it needs, and a dead supervisor is noticed at once.
 */
export function startStateOf(
  { host, store, options }: Pick<DispatchContext, 'host' | 'store' | 'options'>,
  run: Run,
  { now, wasWatchedFor, own, hasExit, startFailed }: StartFacts,
): StartState {
  if (startFailed) return 'dead'
  const deadlineMs = (run.startDeadlineAt ?? run.startedAt) - run.startedAt
  const noted = readSupervisor(runDirectory(options.home, run.id))
  const liveness = noted === null ? null : livenessOf(host, noted, store)
  const isOwn = own !== null && run.dispatcher !== null && isSameProcess(run.dispatcher, own)
  // A process that started the supervisor waits for the exit status, which shows whether a signal ended the supervisor.
  if (liveness === 'dead' && (hasExit || !isOwn)) return 'dead'
  if (liveness === 'unseen' || (run.dispatcher !== null && livenessOf(host, run.dispatcher, store) === 'unseen'))
    return 'unseen'
  if (deadlineMs > 0) return (now !== null && missedStart(run, now)) || wasWatchedFor(deadlineMs) ? 'late' : 'starting'
  if (liveness !== null) return 'starting'
  return isStarting(run, { host, store, own }) && !wasWatchedFor(CLAIMER_START_MS) ? 'starting' : 'late'
}

/**
 * Whether the process that claimed the card may still start the supervisor. If this dispatcher claimed the card, it has
 * already tried, so the answer is no.
 */
function isStarting(
  { dispatcher }: Run,
  { host, store, own }: Pick<DispatchContext, 'host' | 'store'> & { own: Identity | null },
): boolean {
  if (dispatcher === null) return true
  return livenessOf(host, dispatcher, store) === 'alive' && !(own !== null && isSameProcess(dispatcher, own))
}

export const isSameProcess = (one: Identity, other: Identity): boolean =>
  one.pid === other.pid && one.startTime === other.startTime && one.bootId === other.bootId
