/** Decides how a run ended, from the failure that the agent's program reported. */
import type { Failure } from './entry.ts'
import { lastFailure, currentWait } from './turn-summary.ts'
import type { TurnSummary } from './turn-summary.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'

/**
 * Changes the ending according to the reported failure, if the program exited on its own. If a timeout ended a program
 * that waited for its quota, the ending counts as a rate limit. Any other ending stays unchanged.
 */
export function classifyEnding(ending: Ending, summary: Pick<TurnSummary, 'failure' | 'waits'>): Ending {
  const { how } = ending
  const failure =
    how === 'exited' ? lastFailure(summary) : how === 'timed_out' || how === 'stale' ? currentWait(summary) : null
  return failure === null ? ending : afterFailure(ending, failure)
}

/**
 * Whether the program crashed. After a crash, the program's last output explains more than the agent's last message.
 */
export const hasCrashed = ({ how, exitCode = null, signal = null }: Ending): boolean =>
  how === 'exited' && (signal !== null || (exitCode !== null && exitCode !== 0))

function afterFailure(ending: Ending, { kind, message, retryAt }: Failure): Ending {
  switch (kind) {
    case 'rate_limited':
    case 'billing':
      return { ...ending, how: 'rate_limited', error: message, retryAt }
    case 'auth':
      return { ...ending, how: 'auth_failed', error: message }
    case 'turn_limit':
      return { ...ending, how: 'turn_limit', error: message }
    case 'context_overflow':
    case 'permission':
    case 'other':
      return { ...ending, error: message }
  }
}
