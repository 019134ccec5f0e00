/** The scope that a token needs to run an operation. */
import type { TokenScope } from '../../core/token.ts'
import type { AnyOperation } from './perform.ts'

/** Operations that the rule below would give another scope. */
const EXCEPTIONS: Readonly<Record<string, TokenScope>> = {
  // These operations read files of the machine, which every caller needs to create a card.
  'agents list': 'read',
  'agents show': 'read',
  'skills list': 'read',
  'skills show': 'read',
  diff: 'read',
  // These operations work on cards, but run on the machine or on several cards.
  check: 'operate',
  create: 'operate',
  'create-each': 'operate',
  'inbox done': 'operate',
  'inbox snooze': 'operate',
  dispatch: 'operate',
  pause: 'operate',
  resume: 'operate',
  // The names and times of tokens show who has access.
  'tokens list': 'admin',
}

/** Reading needs `read`, changing a card needs `operate`, and changing a board or the machine needs `admin`. */
export function scopeNeeded({ name, kind, scope }: Pick<AnyOperation, 'name' | 'kind' | 'scope'>): TokenScope {
  const exception = EXCEPTIONS[name]
  if (exception !== undefined) return exception
  if (kind === 'query' || kind === 'stream') return 'read'
  return kind !== 'local' && scope === 'card' ? 'operate' : 'admin'
}
