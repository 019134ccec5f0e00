import type { Actor } from '../core/actor.ts'

/** The actor of everything a dispatcher writes. */
export const DISPATCHER: Actor = { kind: 'board', name: 'dispatcher' }
