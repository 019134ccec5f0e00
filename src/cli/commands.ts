/** Every verb of the command line. A verb's own file is loaded only when it is called. */
import type { Command } from 'commander'
import type { Call } from './call.ts'

/** Adds a verb's arguments and flags, and what it does. `begin` is ready once the line has been read. */
export type ConfigureVerb = (command: Command, begin: () => Call) => void

export interface VerbEntry {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<{ readonly configure: ConfigureVerb }>
}

export const VERBS: readonly VerbEntry[] = [
  { name: 'init', summary: 'make the home, its store and the first board', load: () => import('./verbs/init.ts') },
  { name: 'create', summary: 'put a card on the board', load: () => import('./verbs/create.ts') },
  { name: 'list', summary: 'list the cards of a board', load: () => import('./verbs/list.ts') },
  { name: 'show', summary: 'show a card with its runs and history', load: () => import('./verbs/show.ts') },
  { name: 'complete', summary: 'say that cards are finished', load: () => import('./verbs/complete.ts') },
  { name: 'dispatch', summary: 'make one pass: start what may start', load: () => import('./verbs/dispatch.ts') },
  { name: 'up', summary: 'dispatch until you press Ctrl-C', load: () => import('./verbs/up.ts') },
  { name: 'doctor', summary: 'check the store and the home', load: () => import('./verbs/doctor.ts') },
]
