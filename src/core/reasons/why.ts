/**
 * Lists every reason why a card is not running, in the order of the gates. The list is never empty. If nothing else
 * holds the card back, the reason is the missing dispatcher or the status of the card.
 */
import { goalProgress, isJudgedRun } from '../goal.ts'
import { everyObstacle, runnerOf } from '../gates/admission.ts'
import type { Admission } from '../gates/admission.ts'
import { GATES, gateOf, obstacle } from './reason.ts'
import type { Gate, Obstacle, Reason, ReasonParams } from './reason.ts'
import { withRemedies } from './remedies.ts'
import type { Run } from '../run.ts'
import { resumesInReview } from '../status.ts'
import type { Task } from '../task.ts'
import { awaitsPick } from '../tournament/tournament.ts'

export interface Situation extends Omit<Admission, 'openParents'> {
  /** The unfinished parents of the card. */
  readonly openParents: readonly Pick<Task, 'id' | 'title' | 'status'>[]
  /** Whether the folder of a parent is being removed. */
  readonly parentSweeping: boolean
  /** Why the card is on hold, as its history shows. */
  readonly hold?: ReasonParams['held'] | null
  /** The open run of the card. */
  readonly run: Run | null
  /** Obstacles that only this machine can see: agents, programs, skills, its disk and its processes. */
  readonly localObstacles: readonly Obstacle[]
  /** Whether an active dispatcher would start the card if nothing else held the card back. */
  readonly isDispatched: boolean
  /** The fallback that replaces the card's agent. Null means that the card's own agent works on the card. */
  readonly fallback?: Extract<Obstacle, { code: 'fallback_used' }> | null
}

/** The reasons why the card is not running; never empty. */
export const whyNotRunning = (situation: Situation): readonly Reason[] =>
  obstaclesOf(situation).map((found) => withRemedies(found, situation))

function obstaclesOf(situation: Situation): readonly Obstacle[] {
  const { task, run } = situation
  if (run !== null && task.status === 'running') return runObstacles(situation, run)
  const found = everyObstacle({ ...situation, openParents: situation.openParents.map(({ id }) => id) })
  const final = found.find(({ code }) => code === 'deleted' || code === 'finished')
  if (final !== undefined) return [final]
  // A card that was blocked in review returns to its reviewer, so a missing assignee does not matter.
  const relevant = resumesInReview(task) ? found.filter(({ code }) => code !== 'unassigned') : found
  // A tournament never starts, so the state of this machine does not matter.
  const here = awaitsPick(task) ? [] : situation.localObstacles
  const all = [...relevant.map((one) => withDetails(one, situation)), ...here]
  const { fallback = null } = situation
  const notes = [...reviewerObstacles(situation, all), ...(fallback === null ? [] : [fallback])]
  return [...[...notes, ...all].toSorted(byGate), ...dispatcherObstacles(situation, all)]
}

/**
 * The obstacles of a running card. If the supervisor of its run is gone, a dispatcher must end the run. Otherwise the
 * disk may be full or the store damaged.
 */
function runObstacles(situation: Situation, run: Run): readonly Obstacle[] {
  const { task } = situation
  if (!situation.localObstacles.some(({ code }) => code === 'supervisor_lost'))
    return [runningObstacle(task, run), ...situation.localObstacles.filter((one) => hindersRun(one, run, situation))]
  const found = situation.localObstacles
    .filter((one) => ['running', 'dispatcher'].includes(gateOf(one)))
    .toSorted(byGate)
  return [...found, ...dispatcherObstacles(situation, found)]
}

/** Whether the obstacle prevents the run from storing its output or its result. */
const hindersRun = ({ code }: Obstacle, run: Run, { machine }: Situation): boolean =>
  code === 'store_damaged' || (code === 'disk_full' && run.kind === 'agent' && run.machine === machine)

const closes = (found: readonly Obstacle[], gate: Gate): boolean => found.some((one) => gateOf(one) === gate)

/** Names the reviewer of a card in review, unless another reason already concerns the reviewer. */
function reviewerObstacles(
  { task, board, reviewerIsAuthor }: Situation,
  others: readonly Obstacle[],
): readonly Obstacle[] {
  const reviewer = runnerOf(task, board, reviewerIsAuthor)
  if (task.status !== 'review' || reviewer === null || closes(others, 'reviewer')) return []
  return [obstacle('review_assigned', { reviewer })]
}

const byGate = (a: Obstacle, b: Obstacle): number => GATES.indexOf(gateOf(a)) - GATES.indexOf(gateOf(b))

/** Adds details to the obstacle that `why` shows and that a claim does not need. */
function withDetails(found: Obstacle, { openParents, hold = null }: Situation): Obstacle {
  if (found.code === 'held' && hold !== null) return { ...found, params: hold }
  if (found.code !== 'parents_open') return found
  const named = found.params.parents.length
  const parents = openParents.slice(0, named).map(({ id, title, status }) => ({ id, title, status }))
  return { ...found, params: { ...found.params, parents } }
}

/**
 * Adds the reason that no dispatcher is active. A review without a reviewer waits for a person, not for a dispatcher.
 * If the files are on another machine, another reason already names that machine.
 */
function dispatcherObstacles({ isDispatched }: Situation, others: readonly Obstacle[]): readonly Obstacle[] {
  if (closes(others, 'reviewer') || closes(others, 'dispatcher')) return []
  if (!isDispatched) return closes(others, 'machine') ? [] : [obstacle('no_dispatcher', {})]
  return others.length > 0 ? [] : [obstacle('next_pass', {})]
}

/** The present turn, and the points that the judge found missing after the turn before. */
function turnOf(task: Task, run: Run): NonNullable<ReasonParams['running']['run']>['goal'] {
  const progress = isJudgedRun(task, run) ? goalProgress(task, [run]) : null
  if (progress === null) return null
  const { turns, maxTurns, last } = progress
  return { turn: Math.min(turns + 1, maxTurns), maxTurns, missing: last?.missing ?? [] }
}

function runningObstacle(task: Task, run: Run): Obstacle {
  const { assignee } = task
  const { id, attempt, phase, kind, agent, claimedBy, startedAt, intent, maxRuntimeMs } = run
  // A running card cannot be reassigned, so an agent that is not the assignee must be a fallback.
  const isFallback = phase === 'work' && kind === 'agent' && agent !== assignee
  return obstacle(
    'running',
    {
      run: {
        id,
        attempt,
        phase,
        kind,
        by: agent ?? claimedBy,
        startedAt,
        insteadOf: isFallback ? assignee : null,
        goal: turnOf(task, run),
      },
      ending: intent === null ? null : { verb: intent.verb, by: intent.by },
    },
    maxRuntimeMs === null ? null : startedAt + maxRuntimeMs,
  )
}
