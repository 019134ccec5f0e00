import type { DispatchReport } from '../../operations/machine/views.ts'
import { oneLine } from '../escape.ts'
import { sentence, wayOut } from './reason-text.ts'
import { reasonValue } from './reasons.ts'
import { localTime } from './words.ts'

/** One line per card and what became of it; a pass that found nothing says so. */
export function dispatchLines(report: DispatchReport): string {
  if (report.nudged) return 'The dispatcher was told to look.'
  const lines = [...passLines(report), ...waitLines(report)]
  return lines.length === 0 ? NOTHING : lines.join('\n')
}

export const NOTHING = 'Nothing to do.'

/** As it happened: what had ended, what starts, and what could not. */
export const passLines = (report: DispatchReport): string[] => [
  ...report.interrupted.map(lostLine),
  ...report.settled.map(endLine),
  ...startedLines(report),
  ...refusedLines(report),
]

type Ended = DispatchReport['settled'][number]

/** How a run ended. */
export const endLine = (run: Ended): string =>
  run.outcome === 'interrupted'
    ? lostLine(run)
    : row('settled', run.id, `${run.outcome ?? ''}${inPhase(run.phase)}  now ${run.status}`)

/** A dry run has ended nothing. */
const lostLine = ({ id, outcome, status }: Ended): string =>
  row('interrupted', id, outcome === null ? '' : `now ${status}`)

/** What holds cards back that no pass looks at. */
export const waitLines = (report: DispatchReport): string[] => [
  ...report.guarded.map(({ id, reason, until }) => row('guarded', id, `until ${localTime(until)}: ${GUARDS[reason]}`)),
  ...report.rateLimited.map(({ id, until }) => row('rate limited', id, `until ${localTime(until)}`)),
  ...report.coolingDown.map(({ id, until }) => row('cooling down', id, `until ${localTime(until)}`)),
  ...report.awaitingReview.map((id) => row('in review', id, 'waits for a person to review it')),
  ...pausedLines(report),
]

const row = (bucket: string, id: string, rest = ''): string => `${bucket.padEnd(12)} ${id}  ${rest}`.trimEnd()

const inPhase = (phase: DispatchReport['settled'][number]['phase']): string => (phase === 'work' ? '' : ` (${phase})`)

const startedLines = ({ woken, autoAssigned, started }: DispatchReport): string[] => [
  ...woken.map((id) => row('woken', id)),
  ...autoAssigned.map(({ id, agent }) => row('assigned', id, `to ${oneLine(agent)}, the default of its board`)),
  ...started.map(({ id, agent, phase, attempt }) =>
    row(
      attempt === null ? 'would start' : 'started',
      id,
      `${oneLine(agent)}${inPhase(phase)}${attempt === null ? '' : `  attempt ${attempt}`}`,
    ),
  ),
]

const GUARDS = {
  recent_success: 'it succeeded a short while ago',
  active_pr: 'a comment links a pull request',
} as const

const refusedLines = (report: DispatchReport): string[] => [
  ...report.deferred.map(({ id, reason }) => row('deferred', id, deferralText(reason))),
  ...report.more.map((more) => row('deferred', moreText(more))),
  ...report.capped.map(({ id, cap, used, limit }) =>
    row('capped', id, `waits for a free place: ${used} of ${limit} of the ${cap} are taken`),
  ),
  ...report.unassigned.map((id) => row('unassigned', id)),
]

type Deferral = DispatchReport['deferred'][number]

/** An unexpected error comes as a sentence, not as a reason. */
const deferralText = (reason: Deferral['reason']): string =>
  typeof reason === 'string' ? oneLine(reason) : `${sentence(reason)} ${wayOut(reason)}`

const moreText = ({ reason, count }: DispatchReport['more'][number]): string =>
  reason === null
    ? `${count} more, for other reasons.`
    : `${count} more: ${typeof reason === 'string' ? oneLine(reason) : sentence(reason)}`

/** The report for scripts: `reason` and `notes` are sentences, the other fields of a reason are data. */
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
