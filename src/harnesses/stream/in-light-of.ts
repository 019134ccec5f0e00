/** How an agent ended, in the light of what it said kept it from going on. */
import type { InputOf } from '../../core/transitions/index.ts'
import type { Failure } from './entry.ts'
import { hindrance, waitsNow } from './heard.ts'
import type { Heard } from './heard.ts'

type Ending = InputOf<'settle'>['ending']

/** An end that was not the agent's own stays what it is; but time that it spent waiting for its quota was not its own. */
export function inLightOf(ending: Ending, heard: Pick<Heard, 'failure' | 'waits'>): Ending {
  const { how } = ending
  const failure = how === 'exited' ? hindrance(heard) : how === 'timed_out' || how === 'stale' ? waitsNow(heard) : null
  return failure === null ? ending : afterFailure(ending, failure)
}

/** Whether its program broke: what that printed last tells more, then, than what its agent had said before. */
export const broke = ({ how, exitCode = null, signal = null }: Ending): boolean =>
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
