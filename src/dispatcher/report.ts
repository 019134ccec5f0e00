/** What one pass did, as its caller is told. */
import type { DispatchReport } from '../operations/dispatch-once.schema.ts'

export type { DispatchReport }
export type StartedRun = DispatchReport['started'][number]
export type SettledRun = DispatchReport['settled'][number]
export type Deferral = DispatchReport['deferred'][number]

export const emptyReport = (): DispatchReport => ({
  started: [],
  settled: [],
  interrupted: [],
  woken: [],
  deferred: [],
  capped: [],
  unassigned: [],
})

/** A run that was lost is told apart from one that ended. */
export const settledBuckets = (runs: readonly SettledRun[]): Pick<DispatchReport, 'settled' | 'interrupted'> => ({
  settled: runs.filter(({ outcome }) => outcome !== 'interrupted'),
  interrupted: runs.filter(({ outcome }) => outcome === 'interrupted'),
})
