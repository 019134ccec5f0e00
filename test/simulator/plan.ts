/** The planned behaviour of a card's worker. */
import type { Random } from '../helpers/random.ts'

export interface Plan {
  readonly workMs: number
  /** The number of attempts that fail before an attempt succeeds. */
  readonly failFirst: number
  /** The exit code of failing attempts; 75 is a rate limit. */
  readonly failCode: 3 | 75
  /** Whether the first attempt hangs without output. */
  readonly hangs: boolean
  /** Whether the worker ignores SIGTERM. */
  readonly deaf: boolean
  /** Whether the worker leaves behind a process that runs in its own session. */
  readonly daemon: boolean
  /** The verdict that the worker reports through its supervisor; null for no verdict. */
  readonly says: 'complete' | 'block' | 'request-review' | null
  /** The number of turns that the worker ends without a verdict. */
  readonly silentTurns: number
  /** Whether the worker writes its verdict to a file in the workspace. */
  readonly writes: boolean
  /** Whether the worker tries commands that it may not use. */
  readonly meddles: boolean
  /** The number of times that the check fails before it passes; null if the card has no check. */
  readonly checkFails: number | null
  readonly maxRuntimeMs: number | null
  readonly agent: 'shell' | 'coder'
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
  }
}
