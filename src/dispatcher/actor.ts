import type { Actor } from '../core/actor.ts'

/** The actor of everything a dispatcher writes. */
export const DISPATCHER_ACTOR: Actor = { kind: 'board', name: 'dispatcher' }
