/** Ownership and lease arithmetic of runs and dispatchers. */
import type { Dispatcher } from '../dispatcher.ts'
import type { Fence, Run } from '../run.ts'

/** Whether the fence is that of this open run. A run that has ended is owned by nobody. */
export const owns = (run: Run | null | undefined, fence: Fence): run is Run =>
  run !== null &&
  run !== undefined &&
  run.endedAt === null &&
  run.id === fence.runId &&
  run.tokenHash !== null &&
  run.tokenHash === fence.tokenHash

export const leaseExpired = (run: Pick<Run, 'leaseUntil'>, now: number): boolean =>
  run.leaseUntil !== null && run.leaseUntil <= now

/** Whether the start deadline passed with no supervisor registered. */
export const missedStart = (run: Run, now: number): boolean =>
  run.registeredAt === null && run.startDeadlineAt !== null && run.startDeadlineAt <= now

export const dispatches = (dispatcher: Dispatcher | null | undefined, tokenHash: string, now: number): boolean =>
  dispatcher !== null && dispatcher !== undefined && dispatcher.tokenHash === tokenHash && dispatcher.leaseUntil > now
