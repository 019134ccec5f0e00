/** `pause agent coder`: what is meant, in one word or two. */
import { PAUSABLE } from '../operations/pauses.ts'
import type { Pausable } from '../operations/pauses.ts'
import { badValue } from './flags.ts'
import type { Arg } from './verb.ts'

export const kindWord: Arg<Pausable | undefined> = {
  arity: 'optional',
  describe: `${PAUSABLE.join(', ')}; else the current board`,
  choices: PAUSABLE,
  read: ([typed]) => {
    if (typed === undefined) return undefined
    const found = PAUSABLE.find((kind) => kind === typed.trim().toLowerCase())
    if (found === undefined) throw badValue(`choose among ${PAUSABLE.join(', ')}`)
    return found
  },
}

export const nameWord: Arg<string | undefined> = {
  arity: 'optional',
  describe: 'which one',
  completes: 'agent',
  read: ([typed]) => typed,
}
