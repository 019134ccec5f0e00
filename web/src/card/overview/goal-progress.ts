/** How far the work towards the goal of a card has come, and what happens next. */
import { goalOf, judgeUsage } from '../../../../src/core/goal.ts'
import type { Goal } from '../../../../src/core/goal.ts'
import { isBlocked, isInReview, isRunning, isSatisfied } from '../../../../src/core/status.ts'
import type { CardDetails, CardRun } from '../card-details.ts'

type RunGoal = NonNullable<CardRun['goal']>

/** The answer of a judge after a turn. */
export type JudgedTurn = RunGoal['judgements'][number] & {
  readonly run: string
  readonly attempt: number
}

export type NextOfGoal =
  | 'starts'
  | 'judgedNext'
  | 'worksOnMissing'
  | 'continues'
  | 'outOfTurns'
  | 'impossible'
  | 'judgeAway'
  | 'notReported'
  | 'blocked'
  | 'reviewed'
  | 'met'
  | 'byPerson'

export interface GoalProgress extends Goal {
  /** The turn in which the agent works, or the number of judged turns. */
  readonly turn: number
  readonly left: number
  /** All judged turns, the newest first. */
  readonly turns: readonly JudgedTurn[]
  readonly next: NextOfGoal
  /** The usage of the judge in all runs. Null means that no model was asked. */
  readonly usage: ReturnType<typeof judgeUsage>
  readonly models: readonly string[]
}

type Shown = Pick<CardDetails, 'goal' | 'goalTurns' | 'status' | 'blockKind' | 'blockedBy'> & {
  readonly runs: readonly Pick<CardRun, 'id' | 'attempt' | 'phase' | 'goal'>[]
}

export function progressOf(card: Shown): GoalProgress | null {
  const goal = goalOf(card)
  if (goal === null) return null
  const turns = card.runs
    .toSorted((one, other) => one.attempt - other.attempt)
    .flatMap(({ id, attempt, goal: state }) =>
      (state?.judgements ?? []).map((judged): JudgedTurn => ({ ...judged, run: id, attempt })),
    )
    .toReversed()
  const isInTurn = isRunning(card.status) && card.runs.at(-1)?.phase === 'work'
  return {
    ...goal,
    turn: Math.min(isInTurn ? card.goalTurns + 1 : card.goalTurns, goal.maxTurns),
    left: Math.max(0, goal.maxTurns - card.goalTurns),
    turns,
    next: nextOf(card, turns),
    usage: judgeUsage({ goal: { judgements: turns } }),
    models: [...new Set(turns.flatMap(({ model }) => model ?? []))],
  }
}

const STOPS: Readonly<Partial<Record<NonNullable<Shown['blockKind']>, NextOfGoal>>> = {
  budget: 'outOfTurns',
  capability: 'impossible',
  transient: 'judgeAway',
  needs_input: 'notReported',
}

function nextOf({ status, blockKind, runs }: Shown, turns: readonly JudgedTurn[]): NextOfGoal {
  const [last] = turns
  const stop = runs.at(-1)?.goal?.stop ?? null
  if (isSatisfied(status)) return last?.answer === 'done' ? 'met' : 'byPerson'
  if (isInReview(status)) return 'reviewed'
  if (isRunning(status)) return last?.answer === 'continue' ? 'worksOnMissing' : 'judgedNext'
  if (isBlocked(status)) return stop !== null && stop.kind === blockKind ? (STOPS[stop.kind] ?? 'blocked') : 'blocked'
  return turns.length === 0 ? 'starts' : 'continues'
}
