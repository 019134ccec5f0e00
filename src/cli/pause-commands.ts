/** The arguments and the output of `pause` and `resume`. */
import type { Pause } from '../operations/agents/views.ts'
import { PAUSABLE } from '../operations/agents/pauses.ts'
import type { Pausable } from '../operations/agents/pauses.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './output/escape.ts'
import { badValue } from './flags.ts'
import { pauseLine } from './render/pauses.ts'
import type { Arg } from './command.ts'
import { shellWord } from '../util/shell-word.ts'

export const pauseKindArgument: Arg<Pausable | undefined> = {
  arity: 'optional',
  describe: `${PAUSABLE.join(', ')} (default: the current board)`,
  choices: PAUSABLE,
  read: ([typed]) => {
    if (typed === undefined) return undefined
    const found = PAUSABLE.find((kind) => kind === typed.trim().toLowerCase())
    if (found === undefined) throw badValue(`use one of ${PAUSABLE.join(', ')}`)
    return found
  },
}

export const pauseNameArgument: Arg<string | undefined> = {
  arity: 'optional',
  describe: 'the name of that board, agent, account or machine',
  completes: 'agent',
  read: ([typed]) => typed,
}

export function answerPause(
  cli: Invocation,
  paused: Pause & { readonly known: boolean; readonly meant: string | null },
): void {
  cli.answer(paused, `Paused ${pauseLine(paused)}`)
  const meant = paused.meant === null ? '' : ` Did you mean ${oneLine(paused.meant)}?`
  if (!paused.known) cli.notice(`Warning: this machine has no ${paused.kind} ${oneLine(paused.name)}.${meant}`)
  cli.notice(`Running agents continue. To resume: muster resume ${paused.kind} ${shellWord(oneLine(paused.name))}`)
}

export function answerResumed(
  cli: Invocation,
  resumed: Pick<Pause, 'kind' | 'name'> & { readonly wasPaused: boolean },
): void {
  const { kind, name, wasPaused } = resumed
  cli.answer(resumed, wasPaused ? `Resumed ${kind} ${oneLine(name)}` : `The ${kind} ${oneLine(name)} was not paused.`)
}
