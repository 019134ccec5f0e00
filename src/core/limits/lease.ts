/** Ownership and lease arithmetic of runs and dispatchers. */
import type { Fence, Identity, Run } from '../run.ts'

/** The one dispatcher that is active on a machine. Each of its writes checks `tokenHash` in the same transaction. */
export interface Dispatcher {
  readonly machine: string
  readonly tokenHash: string
  readonly identity: Identity
  readonly since: number
  readonly leaseUntil: number
}

/** Whether the fence belongs to this open run. A run that has ended has no owner. */
export const owns = (run: Run | null | undefined, fence: Fence): run is Run =>
  run !== null &&
  run !== undefined &&
  run.endedAt === null &&
  run.id === fence.runId &&
  run.tokenHash !== null &&
  run.tokenHash === fence.tokenHash

export const leaseExpired = (run: Pick<Run, 'leaseUntil'>, now: number): boolean =>
  run.leaseUntil !== null && run.leaseUntil <= now

/** Whether the start deadline passed before a supervisor registered. */
export const missedStart = (run: Run, now: number): boolean =>
  run.registeredAt === null && run.startDeadlineAt !== null && run.startDeadlineAt <= now

export const dispatches = (dispatcher: Dispatcher | null | undefined, tokenHash: string, now: number): boolean =>
  dispatcher !== null && dispatcher !== undefined && dispatcher.tokenHash === tokenHash && dispatcher.leaseUntil > now
