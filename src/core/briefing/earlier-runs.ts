/** The sections of the briefing about earlier runs of the card. */
import type { Run } from '../run.ts'
import { isVerifier } from '../swarm.ts'
import type { Outcome } from '../vocabulary.ts'
import type { BriefingInput } from './briefing-input.ts'
import { BRIEFING_ATTEMPTS } from './caps.ts'
import { timeAndAge } from './moment.ts'
import { field, inline, jsonField, omitted } from './quoted.ts'

/**
 * The results that the agent must read first. A reviewer gets the worker's hand-off. A worker gets the requests of the
 * last review.
 */
export const review = (input: BriefingInput): string =>
  input.role === 'review' ? toReview(input) : changesAsked(input)

function toReview({ runs, task, now }: BriefingInput): string {
  const asked = newest(runs, ['review_requested'])
  const by = asked === null ? '' : ` by ${whoRan(asked)}, ${timeAndAge(asked.endedAt ?? asked.startedAt, now)}`
  const report = [
    ...field('Summary', asked?.summary ?? task.result),
    ...jsonField('Evidence', asked?.metadata ?? task.metadata),
  ]
  const shown = report.length === 0 ? ['There is no summary: judge the workspace against the body.'] : report
  return ['## Work to review', `Review was requested${by}.`, ...shown].join('\n\n')
}

/**
 * The changes that the last review asked for. The text is empty if the worker has handed the card off again since that
 * review.
 */
function changesAsked({ task, runs, now }: BriefingInput): string {
  // The verifier of a swarm requests changes from its workers, not from itself.
  const asked = isVerifier(task) ? runs.filter(({ phase }) => phase === 'review') : runs
  const last = newest(asked, ['completed', 'review_requested', 'changes_requested'])
  if (last === null || last.outcome !== 'changes_requested') return ''
  return [
    '## Changes were requested',
    `A review sent the work back (${whoRan(last)}, ${timeAndAge(last.endedAt ?? last.startedAt, now)}). Your work is still in the workspace. Change this:`,
    ...field('Reasons', last.summary),
    ...jsonField('Evidence', last.metadata),
  ].join('\n\n')
}

function newest(runs: readonly Run[], outcomes: readonly Outcome[]): Run | null {
  const found = runs.filter(({ outcome }) => outcome !== null && outcomes.includes(outcome))
  return found.reduce<Run | null>((last, run) => (last !== null && last.attempt > run.attempt ? last : run), null)
}

export function priorAttempts({ runs, now }: BriefingInput): string {
  const closed = runs.filter((run) => run.endedAt !== null).sort((a, b) => a.attempt - b.attempt)
  if (closed.length === 0) return ''
  const shown = closed.slice(-BRIEFING_ATTEMPTS)
  return [
    '## Prior attempts on this card',
    'Find out why each attempt failed before you repeat it. Its files may still be in the workspace.',
    ...omitted(closed.length - shown.length, 'earlier attempt'),
    ...shown.map((run) => attempt(run, now)),
  ].join('\n\n')
}

function attempt(run: Run, now: number): string {
  const who = whoRan(run)
  const phase = run.phase === 'work' ? '' : `${run.phase}, `
  return [
    `### Attempt ${run.attempt}: ${run.outcome ?? 'unknown'} (${phase}${who}, ${timeAndAge(run.startedAt, now)})`,
    ...field('Summary', run.summary),
    ...field('Error', run.error),
    ...jsonField('Metadata', run.metadata),
  ].join('\n\n')
}

const whoRan = ({ agent, kind }: Run): string =>
  agent === null ? (kind === 'manual' ? 'a person' : 'the board') : inline(agent)
