/**
 * The whole answer to "why is this card not running?", in the order of the gates. There is always one: a card that
 * nothing holds waits for a dispatcher, and one that runs, is finished or in the trash says so.
 */
import { GATES, everyReason, runnerOf } from './admission.ts'
import type { Admission, Reason } from './admission.ts'
import type { Run } from './run.ts'
import type { Task } from './task.ts'

export interface Situation extends Omit<Admission, 'openParents'> {
  /** Parents that gate the card. */
  readonly openParents: readonly Pick<Task, 'id' | 'title' | 'status'>[]
  /** Its open run. */
  readonly run: Run | null
  /** What only the machine that was asked knows: agents, programs. */
  readonly here: readonly Reason[]
  /** Whether anybody would start the card if nothing else held it. */
  readonly isDispatched: boolean
}

/** Never empty. */
export function whyNotRunning(situation: Situation): readonly Reason[] {
  const { task, run } = situation
  if (run !== null && task.status === 'running') return [isRunning(task, run)]
  const reasons = everyReason({ ...situation, openParents: situation.openParents.map(({ id }) => id) })
  const over = reasons.find(({ gate }) => gate === 'deleted' || gate === 'finished')
  if (over !== undefined) return [over]
  // A blocked review goes back to its reviewer; whom the work is assigned to does not matter to it.
  const its = task.resumeStatus === 'review' ? reasons.filter(({ gate }) => gate !== 'assignee') : reasons
  const told = [...its.map((reason) => withParents(reason, situation)), ...situation.here]
  return [...[...forWhom(situation, told), ...told].toSorted(byGate), ...dispatcherReasons(situation, told)]
}

/** A card in review says whose turn it is; where that is a person's, a gate has said so. */
function forWhom({ task, board, ownWork }: Situation, others: readonly Reason[]): readonly Reason[] {
  const reviewer = runnerOf(task, board, ownWork)
  if (task.status !== 'review' || reviewer === null || others.some(({ gate }) => gate === 'reviewer')) return []
  return [
    {
      gate: 'reviewer',
      message: `In review: ${reviewer} is to review it.`,
      clears: `It starts by itself, or muster approve ${task.id}, or muster request-changes ${task.id} <why>`,
      until: null,
    },
  ]
}

const byGate = (a: Reason, b: Reason): number => GATES.indexOf(a.gate) - GATES.indexOf(b.gate)

const SHOWN_PARENTS = 5

function withParents(reason: Reason, { openParents }: Situation): Reason {
  if (reason.gate !== 'parents') return reason
  const shown = openParents.slice(0, SHOWN_PARENTS).map(({ id, title, status }) => `${id} "${title}" (${status})`)
  const left = openParents.length - shown.length
  return { ...reason, message: `Waits for ${shown.join(', ')}${left === 0 ? '' : ` and ${left} more`}.` }
}

/** A review without a reviewer waits for a person alone. */
function dispatcherReasons({ isDispatched }: Situation, others: readonly Reason[]): readonly Reason[] {
  if (others.some(({ gate }) => gate === 'reviewer')) return []
  if (!isDispatched)
    return [{ gate: 'dispatcher', message: 'Nothing is dispatching.', clears: 'muster up', until: null }]
  if (others.length > 0) return []
  return [{ gate: 'dispatcher', message: 'Nothing holds it.', clears: 'The next pass of the dispatcher', until: null }]
}

function isRunning(task: Task, run: Run): Reason {
  const who = run.agent ?? run.claimedBy
  const since = new Date(run.startedAt).toISOString()
  return {
    gate: 'running',
    message: `Running since ${since} as ${run.id}, attempt ${run.attempt}${phaseOf(run)}, by ${who}.`,
    clears: howItEnds(task, run),
    until: run.maxRuntimeMs === null ? null : run.startedAt + run.maxRuntimeMs,
  }
}

const phaseOf = ({ phase }: Run): string => (phase === 'work' ? '' : ` (${phase})`)

function howItEnds({ id }: Task, { intent, kind }: Run): string {
  if (intent !== null) return `It is being ended: ${intent.by} asked for ${intent.verb}`
  return kind === 'manual'
    ? `muster complete ${id}, or muster block ${id} <why>`
    : `It ends by itself, or muster reclaim ${id}`
}
