/** Tests which process owns a run or is the active dispatcher, and whether its lease has ended. */
import type { LastPass } from './last-pass.ts'
import type { Fence, Identity, Run } from '../run.ts'

/**
 * The dispatcher that is active on a machine. Each write of a dispatcher compares `tokenHash` with this row in the same
 * transaction.
 */
export interface Dispatcher {
  readonly machine: string
  readonly tokenHash: string
  readonly identity: Identity
  readonly since: number
  readonly leaseUntil: number
  /** The last pass. This is null before the first pass. */
  readonly lastPass: LastPass | null
}

/** Whether the caller with this run id and token owns the run. A run that has ended has no owner. */
export const owns = (run: Run | null | undefined, fence: Fence): run is Run =>
  run !== null &&
  run !== undefined &&
  run.endedAt === null &&
  run.id === fence.runId &&
  run.tokenHash !== null &&
  run.tokenHash === fence.tokenHash

export const leaseExpired = (run: Pick<Run, 'leaseUntil'>, now: number): boolean =>
  run.leaseUntil !== null && run.leaseUntil <= now

/** Whether the start deadline has passed without the registration of a supervisor. */
export const missedStart = (run: Run, now: number): boolean =>
  run.registeredAt === null && run.startDeadlineAt !== null && run.startDeadlineAt <= now

export const dispatches = (dispatcher: Dispatcher | null | undefined, tokenHash: string, now: number): boolean =>
  dispatcher !== null && dispatcher !== undefined && dispatcher.tokenHash === tokenHash && dispatcher.leaseUntil > now
