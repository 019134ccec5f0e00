/** The report of one pass. */
import type { DispatchReport } from '../operations/machine/views.ts'
import { emptyReport } from '../operations/machine/empty-report.ts'
import { PASS_REASONS } from '../core/limits/last-pass.ts'
import type { PassReport } from '../core/limits/last-pass.ts'
import { awaitsPerson } from '../core/status.ts'

export type { DispatchReport }
export { emptyReport }
export type StartedRun = DispatchReport['started'][number]
export type SettledRun = DispatchReport['settled'][number]
export type Deferral = DispatchReport['deferred'][number]
export type CappedCard = DispatchReport['capped'][number]

type Ended = Pick<DispatchReport, 'settled' | 'interrupted' | 'crashed' | 'timedOut' | 'stale' | 'autoBlocked'>

/** Separates interrupted runs from settled runs, and lists the failures that a person may want to see. */
export function settledBuckets(runs: readonly SettledRun[]): Ended {
  const idsWith = (outcome: SettledRun['outcome']): SettledRun['id'][] =>
    runs.filter((run) => run.outcome === outcome).map(({ id }) => id)
  const [crashed, timedOut, stale] = [idsWith('crashed'), idsWith('timed_out'), idsWith('stale')]
  const gaveUp = runs.filter(({ outcome, status }) => awaitsPerson(status) && outcome !== 'blocked')
  return {
    settled: runs.filter(({ outcome }) => outcome !== 'interrupted'),
    interrupted: runs.filter(({ outcome }) => outcome === 'interrupted'),
    crashed,
    timedOut,
    stale,
    autoBlocked: gaveUp.map(({ id }) => id),
  }
}

const SHOWN = 50
const SHOWN_PER_REASON = 10
const NOTED = 5

/** Lists the first few cards for each reason, and counts the other cards, so that a report stays short. */
export function summarised(deferred: readonly Deferral[]): Pick<DispatchReport, 'deferred' | 'more'> {
  const shown: Deferral[] = []
  const seen = new Map<string, number>()
  const hidden = new Map<string, { reason: Deferral['reason']; count: number }>()
  for (const one of deferred) {
    const key = sameReason(one.reason)
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    if (before < SHOWN_PER_REASON && shown.length < SHOWN) shown.push(one)
    else hidden.set(key, { reason: one.reason, count: (hidden.get(key)?.count ?? 0) + 1 })
  }
  const counted = [...hidden.values()]
  const others = counted.slice(NOTED).reduce((sum, { count }) => sum + count, 0)
  const rest = others === 0 ? [] : [{ reason: null, count: others }]
  return { deferred: shown, more: [...counted.slice(0, NOTED), ...rest] }
}

/** Compares reasons without their remedies, because a remedy names the card. */
const sameReason = (reason: Deferral['reason']): string =>
  typeof reason === 'string' ? reason : JSON.stringify([reason.code, reason.params, reason.until])

/** The part of a report that other processes read. */
export function passRecord(
  { started, deferred, more, capped }: Pick<DispatchReport, 'started' | 'deferred' | 'more' | 'capped'>,
  { tookMs, everyMs }: { readonly tookMs: number; readonly everyMs: number },
): Omit<PassReport, 'agoMs'> {
  const counts = new Map<string, number>()
  const add = (reason: Deferral['reason'] | null, count: number): void => {
    const code = reason === null || typeof reason === 'string' ? 'other' : reason.code
    counts.set(code, (counts.get(code) ?? 0) + count)
  }
  for (const { reason } of deferred) add(reason, 1)
  for (const { reason, count } of more) add(reason, count)
  if (capped.length > 0) counts.set('cap_reached', capped.length)
  const waiting = [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count)
  return { tookMs: Math.round(tookMs), everyMs, started: started.length, waiting: waiting.slice(0, PASS_REASONS) }
}
