import type { RunId } from './ids.ts'

export const PAUSE_CAUSES = ['quota', 'auth', 'person'] as const

/** The quota that some agents share. A pause applies to every card of these agents. */
export interface Account {
  readonly name: string
  readonly pauseCause: (typeof PAUSE_CAUSES)[number] | null
  /** If this is null and `pauseCause` is set, a person must resume the account. */
  readonly pausedUntil: number | null
  readonly pausedBy: string | null
  readonly pauseReason: string | null
  /**
   * How many times in a row the account was paused. If the provider names no reset time, each pause doubles the wait.
   */
  readonly strikes: number
  /** When the account was last reopened. A rate limit or a refused login of a run that started earlier is ignored. */
  readonly reopenedAt: number | null
  readonly probeRunId: RunId | null
  readonly updatedAt: number
}
