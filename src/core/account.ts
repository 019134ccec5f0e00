import type { RunId } from './ids.ts'

export const PAUSE_CAUSES = ['quota', 'auth', 'person'] as const

/** A quota that several agents share. A pause of the account applies to every card of these agents. */
export interface Account {
  readonly name: string
  readonly pauseCause: (typeof PAUSE_CAUSES)[number] | null
  /** The end of the pause. If this is null and `pauseCause` is set, a person must resume the account. */
  readonly pausedUntil: number | null
  readonly pausedBy: string | null
  readonly pauseReason: string | null
  /**
   * How many times in a row the account was paused. If the provider names no reset time, each pause doubles the wait.
   */
  readonly strikes: number
  /**
   * The time at which the account was last reopened. Rate limits and refused logins of runs that started before this
   * time are ignored.
   */
  readonly reopenedAt: number | null
  readonly probeRunId: RunId | null
  readonly updatedAt: number
}
