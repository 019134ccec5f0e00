import type { DispatchReport } from './dispatch-once.schema.ts'

export const emptyReport = (): DispatchReport => ({
  started: [],
  settled: [],
  crashed: [],
  timedOut: [],
  stale: [],
  autoBlocked: [],
  interrupted: [],
  woken: [],
  autoAssigned: [],
  deferred: [],
  notes: [],
  capped: [],
  guarded: [],
  rateLimited: [],
  coolingDown: [],
  unassigned: [],
  awaitingReview: [],
  unknownAgent: [],
  paused: [],
  nudged: false,
})
