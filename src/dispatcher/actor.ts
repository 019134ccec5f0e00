import type { Actor } from '../core/actor.ts'

/** How a dispatcher signs what it writes. */
export const DISPATCHER: Actor = { kind: 'board', name: 'dispatcher' }
