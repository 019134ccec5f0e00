/** The planned behaviour of a card's worker. */
import type { JudgeAnswer } from '../../src/core/vocabulary.ts'
import type { Random } from '../helpers/random.ts'

export interface Plan {
  readonly workMs: number
  /** The number of attempts that fail before an attempt succeeds. */
  readonly failFirst: number
  /** The exit code of failing attempts. The code 75 is a rate limit. */
  readonly failCode: 3 | 75
  /** Whether the first attempt hangs without output. */
  readonly hangs: boolean
  /** Whether the worker ignores SIGTERM. */
  readonly deaf: boolean
  /** Whether the worker leaves behind a process that runs in its own session. */
  readonly daemon: boolean
  /** The verdict that the worker reports through its supervisor. Null means that it reports no verdict. */
  readonly says: 'complete' | 'block' | 'request-review' | 'request-changes' | null
  /** The number of turns that the worker ends without a verdict. */
  readonly silentTurns: number
  /** Whether the worker writes its verdict to a file in the workspace. */
  readonly writes: boolean
  /** Whether the worker tries commands that it may not use. */
  readonly meddles: boolean
  /** The number of times that the check fails before it passes. Null means that the card has no check. */
  readonly checkFails: number | null
  readonly maxRuntimeMs: number | null
  readonly agent: 'shell' | 'coder'
  /** The goal of the card; null for most cards. */
  readonly goal: GoalPlan | null
}

export interface GoalPlan {
  readonly maxTurns: number
  /** The answers of the judge in order. The last one repeats. */
  readonly answers: readonly JudgeAnswer[]
}

/** Chooses a plan. On a slow board, work takes minutes, so that leases can expire. */
export function makePlan(random: Random, slow: boolean): Plan {
  const agent = random.chance(0.75) ? 'shell' : 'coder'
  const says = random.chance(agent === 'coder' ? 0.85 : 0.35)
  return {
    workMs: slow ? random.duration(20_000, 300_000) : random.duration(200, 60_000),
    failFirst: random.chance(0.4) ? random.between(1, 3) : 0,
    failCode: random.chance(0.4) ? 75 : 3,
    hangs: random.chance(0.12),
    deaf: random.chance(0.15),
    daemon: random.chance(0.15),
    says: says ? (random.pick(['complete', 'complete', 'complete', 'block', 'request-review'] as const) ?? null) : null,
    silentTurns: random.chance(0.4) ? random.between(1, 3) : 0,
    writes: random.chance(0.25),
    meddles: random.chance(0.3),
    checkFails: random.chance(0.25) ? random.between(0, 4) : null,
    maxRuntimeMs: random.chance(0.15) ? random.duration(3_000, slow ? 300_000 : 40_000) : null,
    agent,
    goal: null,
  }
}

/** The goals of simulated cards, which take turns. Each has outages, refusals or a limit that the judge exceeds. */
export const GOALS: readonly GoalPlan[] = [
  { maxTurns: 4, answers: ['continue', 'done'] },
  { maxTurns: 20, answers: ['unavailable', 'unavailable', 'continue', 'unavailable', 'done'] },
  { maxTurns: 2, answers: ['continue'] },
  { maxTurns: 3, answers: ['continue', 'impossible'] },
  { maxTurns: 3, answers: ['unavailable'] },
  { maxTurns: 1, answers: ['done'] },
]
