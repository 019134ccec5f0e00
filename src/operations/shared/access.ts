/** Decides which scope a token needs to run an operation. */
import type { TokenScope } from '../../core/token.ts'
import type { AnyOperation } from './perform.ts'

/** The operations whose scope differs from the rule of `scopeNeeded`. */
const EXCEPTIONS: Readonly<Record<string, TokenScope>> = {
  // These operations read files of the machine, but a caller needs them to create a card, so `read` is enough.
  'agents list': 'read',
  'agents show': 'read',
  'skills list': 'read',
  'skills show': 'read',
  diff: 'read',
  // These operations change cards, although they run on the machine or on several cards.
  check: 'operate',
  create: 'operate',
  'create-each': 'operate',
  'inbox done': 'operate',
  'inbox restore': 'operate',
  'inbox snooze': 'operate',
  dispatch: 'operate',
  pause: 'operate',
  resume: 'operate',
  // These operations create cards later, so they need the same scope as creating a card.
  apply: 'operate',
  swarm: 'operate',
  'templates list': 'read',
  'templates show': 'read',
  'recur add': 'operate',
  'recur edit': 'operate',
  'recur pause': 'operate',
  'recur resume': 'operate',
  'recur remove': 'operate',
  'recur run-now': 'operate',
  'views save': 'operate',
  'views rename': 'operate',
  'views delete': 'operate',
  // The list of tokens reveals who has access.
  'tokens list': 'admin',
}

/**
 * The scope that an operation needs. Reading needs `read`, changing a card needs `operate`, and changing a board or the
 * machine needs `admin`.
 */
export function scopeNeeded({ name, kind, scope }: Pick<AnyOperation, 'name' | 'kind' | 'scope'>): TokenScope {
  const exception = EXCEPTIONS[name]
  if (exception !== undefined) return exception
  if (kind === 'query' || kind === 'stream') return 'read'
  return kind !== 'local' && scope === 'card' ? 'operate' : 'admin'
}
