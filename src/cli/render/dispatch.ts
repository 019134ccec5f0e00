import type { DispatchReport } from '../../operations/machine/views.ts'
import type { Outcome } from '../../core/vocabulary.ts'
import { oneLine } from '../output/escape.ts'
import { reasonSentence, wayOut } from './reason-text.ts'
import { reasonValue } from './reasons.ts'
import { localTime } from './format-values.ts'

/** Formats one line for each card of the report. If nothing happened, returns a sentence. */
export function dispatchLines(report: DispatchReport, { dryRun = false } = {}): string {
  if (report.nudged) return 'Asked the running "muster up" to look for ready cards now.'
  const lines = [...passLines(report, { dryRun }), ...waitLines(report)]
  return lines.length === 0 ? (dryRun ? 'Nothing would start.' : NOTHING_TO_DO) : lines.join('\n')
}

export const NOTHING_TO_DO = 'Nothing to do.'

/** The lines of a pass, in this order: ended runs, started cards, cards that could not start. */
export const passLines = (report: DispatchReport, { dryRun = false } = {}): string[] => [
  ...report.interrupted.map(lostLine),
  ...report.settled.map(endLine),
  ...startedLines(report, dryRun),
  ...refusedLines(report),
]

type Ended = DispatchReport['settled'][number]

/** Formats the line about a run that has ended. */
export const endLine = (run: Ended): string =>
  run.outcome === 'interrupted'
    ? lostLine(run)
    : row('settled', run.id, `${run.outcome ?? ''}${inPhase(run.phase)}  now ${run.status}`)

/**
 * Formats the line about a run whose supervisor died. In a dry run the outcome is null, because the run is not ended.
 */
const lostLine = ({ id, outcome, status }: Ended): string =>
  outcome === null ? row('would end', id, 'the run has lost its supervisor') : row('interrupted', id, `now ${status}`)

/** The outcomes of failed runs. A run that a person ended, for example with `stop`, is not a failure. */
const FAILURES: ReadonlySet<string | null> = new Set<Outcome>([
  'crashed',
  'timed_out',
  'stale',
  'interrupted',
  'spawn_failed',
  'protocol_violation',
  'rate_limited',
  'checks_failed',
  'gave_up',
])

/** The failed runs that this pass started. Runs that were already running do not count. */
export function failedRuns({ started, settled, interrupted }: DispatchReport): readonly Ended[] {
  const awaited = new Set(started.map(({ runId }) => runId))
  return [...settled, ...interrupted].filter(({ runId, outcome }) => awaited.has(runId) && FAILURES.has(outcome))
}

const SHOWN_FAILURES = 5

/**
 * Formats the line about failed runs, such as `2 runs failed: t_4k2 (crashed), t_8x1 (timed_out). To see why: muster
 * runs t_4k2`.
 */
export function failureLine(failed: readonly Ended[]): string {
  const named = failed.slice(0, SHOWN_FAILURES).map(({ id, outcome }) => `${id} (${outcome})`)
  const more = failed.length > named.length ? ` and ${failed.length - named.length} more` : ''
  const count = failed.length === 1 ? '1 run failed' : `${failed.length} runs failed`
  return `${count}: ${named.join(', ')}${more}. To see why: muster runs ${failed[0]?.id ?? ''}`
}

/** Formats the lines about cards that wait for a time or a person. */
export const waitLines = (report: DispatchReport): string[] => [
  ...report.guarded.map(({ id, reason, until }) => row('guarded', id, `until ${localTime(until)}: ${GUARDS[reason]}`)),
  ...report.rateLimited.map(({ id, until }) => row('rate limited', id, `until ${localTime(until)}`)),
  ...report.coolingDown.map(({ id, until }) => row('cooling down', id, `until ${localTime(until)}`)),
  ...report.awaitingReview.map((id) => row('in review', id, 'a person must review the card')),
  ...pausedLines(report),
]

const row = (bucket: string, id: string, rest = ''): string => `${bucket.padEnd(12)} ${id}  ${rest}`.trimEnd()

const inPhase = (phase: DispatchReport['settled'][number]['phase']): string => (phase === 'work' ? '' : ` (${phase})`)

const startedLines = ({ woken, autoAssigned, started }: DispatchReport, dryRun: boolean): string[] => [
  ...woken.map((id) => row(dryRun ? 'would wake' : 'woken', id)),
  ...autoAssigned.map(({ id, agent }) =>
    row(dryRun ? 'would assign' : 'assigned', id, `to ${oneLine(agent)}, the board's default`),
  ),
  ...started.map(({ id, agent, phase, attempt }) =>
    row(
      attempt === null ? 'would start' : 'started',
      id,
      `${oneLine(agent)}${inPhase(phase)}${attempt === null ? '' : `  attempt ${attempt}`}`,
    ),
  ),
]

const GUARDS = {
  recent_success: 'it succeeded recently',
  active_pr: 'a comment links a pull request',
} as const

const refusedLines = (report: DispatchReport): string[] => [
  ...report.deferred.map(({ id, reason }) => row('deferred', id, deferralText(reason))),
  ...report.more.map((more) => row('deferred', moreText(more))),
  ...report.capped.map(({ id, cap, used, limit }) =>
    row('capped', id, `the limit of the ${cap} is reached: ${used} of ${limit} runs`),
  ),
  ...report.unassigned.map((id) => row('unassigned', id)),
]

type Deferral = DispatchReport['deferred'][number]

/** The sentence for a deferred card. The reason of an unexpected error is already a sentence. */
const deferralText = (reason: Deferral['reason']): string =>
  typeof reason === 'string' ? oneLine(reason) : `${reasonSentence(reason)} ${wayOut(reason)}`

const moreText = ({ reason, count }: DispatchReport['more'][number]): string =>
  reason === null
    ? `${count} more, for other reasons.`
    : `${count} more: ${typeof reason === 'string' ? oneLine(reason) : reasonSentence(reason)}`

/** The report in the form for scripts. `reason` and `notes` are sentences; the other fields of a reason are data. */
export const dispatchValue = (report: DispatchReport): object => ({
  ...report,
  deferred: report.deferred.map(({ id, reason }) =>
    typeof reason === 'string' ? { id, reason } : { id, ...reasonValue(reason), reason: deferralText(reason) },
  ),
  notes: report.more.map(moreText),
})

const pausedLines = ({ paused }: DispatchReport): string[] =>
  paused.map(({ kind, name, reason, until }) =>
    row(
      'paused',
      `${kind} ${oneLine(name)}`,
      `${reason === null ? '' : oneLine(reason)}${until === null ? '' : `  until ${localTime(until)}`}`,
    ),
  )
