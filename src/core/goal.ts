/**
 * The goal of a card: the agent works in turns until a judge finds that the work meets the title and body of the card.
 * Read-only commands start without the schema library, so this file does not load it.
 */
import type { Judgement, Run } from './run.ts'
import type { Task } from './task.ts'
import { DEFAULT_TURNS } from './vocabulary.ts'
import type { JudgeKind } from './vocabulary.ts'

/** The actor that blocks a card because of its goal. */
export const JUDGE_NAME = 'muster:judge'

export interface Goal {
  readonly maxTurns: number
  readonly judge: JudgeKind
}

export const DEFAULT_GOAL: Goal = { maxTurns: DEFAULT_TURNS, judge: 'model' }

/** The goal of a card, with its defaults. Null means that the card has no goal. */
export const goalOf = ({ goal }: Pick<Task, 'goal'>): Goal | null =>
  goal === null
    ? null
    : { maxTurns: goal.maxTurns ?? DEFAULT_TURNS, judge: goal.judge === 'checks' ? 'checks' : 'model' }

/**
 * Whether a judge decides when this run is finished. People finish their own runs, and a reviewer finishes a review.
 */
export const isJudgedRun = (task: Pick<Task, 'goal'>, { phase, kind }: Pick<Run, 'phase' | 'kind'>): boolean =>
  task.goal !== null && phase === 'work' && kind === 'agent'

/**
 * Whether the goal allows the card to be completed: no judge decides about this run, or the judge accepted the work.
 */
export const isGoalMet = (task: Pick<Task, 'goal'>, run: Pick<Run, 'phase' | 'kind' | 'goal'>): boolean =>
  !isJudgedRun(task, run) || run.goal?.passedAt != null

export const areTurnsSpent = (task: Pick<Task, 'goal' | 'goalTurns'>): boolean => {
  const goal = goalOf(task)
  return goal !== null && task.goalTurns >= goal.maxTurns
}

/** How far the work towards a goal has come. */
interface GoalProgress extends Goal {
  /** The number of judged turns. */
  readonly turns: number
  /** The last judgement, of any run. Null means that no turn has been judged. */
  readonly last: Judgement | null
}

export function goalProgress(
  task: Pick<Task, 'goal' | 'goalTurns'>,
  runs: readonly Pick<Run, 'attempt' | 'goal'>[],
): GoalProgress | null {
  const goal = goalOf(task)
  if (goal === null) return null
  const judged = runs.filter((run) => (run.goal?.judgements.length ?? 0) > 0)
  const latest = judged.toSorted((a, b) => b.attempt - a.attempt)[0]
  return { ...goal, turns: task.goalTurns, last: latest?.goal?.judgements.at(-1) ?? null }
}

/**
 * The progress in one line: `turn 3 of 20, missing: the tests; the docs`. While the card runs, the line shows the turn
 * in progress.
 */
export function goalText({ turns, maxTurns, last }: GoalProgress, isRunning: boolean): string {
  const turn = Math.min(isRunning ? turns + 1 : turns, maxTurns)
  return `turn ${turn} of ${maxTurns}${last === null ? '' : `, ${judgementText(last)}`}`
}

export function judgementText({ answer, missing, reason }: Pick<Judgement, 'answer' | 'missing' | 'reason'>): string {
  switch (answer) {
    case 'done':
      return 'the judge accepts the work'
    case 'continue':
      return `missing: ${missing.length === 0 ? reason : missing.join('; ')}`
    case 'impossible':
      return `the judge finds it impossible: ${reason}`
    case 'unavailable':
      return `the judge was not available: ${reason}`
  }
}

type Spent = Pick<Judgement, 'model' | 'inputTokens' | 'outputTokens' | 'costUsd'>
interface Judged {
  readonly judgements: readonly Spent[]
}

/** The total usage of the judge in a run, or in several runs. Null means that no model was asked. */
export function judgeUsage({ goal }: { readonly goal: Judged | null }): Run['usage'] {
  const asked = (goal?.judgements ?? []).filter(({ model }) => model !== null)
  if (asked.length === 0) return null
  const total = (of: (one: Spent) => number | null): number | null =>
    asked.reduce<number | null>((sum, one) => plus(sum, of(one)), null)
  return {
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    costUsd: total(({ costUsd }) => costUsd),
  }
}

/** The usage of the agent plus the usage of its judge. `judge` repeats the judge's share on its own. */
export function usageWithJudge(agent: Run['usage'], run: Pick<Run, 'goal'>): Run['usage'] {
  const judge = judgeUsage(run)
  if (judge === null) return agent
  return {
    inputTokens: plus(agent?.inputTokens ?? null, judge.inputTokens),
    outputTokens: plus(agent?.outputTokens ?? null, judge.outputTokens),
    costUsd: plus(agent?.costUsd ?? null, judge.costUsd),
    judge,
  }
}

const plus = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : one + other
