/** How an agent ended, in the light of what it said kept it from going on. */
import type { InputOf } from '../../core/transitions/index.ts'
import type { Failure } from './entry.ts'

type Ending = InputOf<'settle'>['ending']

/** An end that was not the agent's own stays what it is. */
export function inLightOf(ending: Ending, failure: Failure | null): Ending {
  if (ending.how !== 'exited' || failure === null) return ending
  const { kind, message, retryAt } = failure
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
