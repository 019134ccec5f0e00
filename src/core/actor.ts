import type { Actor } from './actor.schema.ts'
import type { Task } from './task.ts'

export type { Actor }

/** As events and rows name the actor. A person stands by name alone; a program is marked as one. */
export const actorName = (actor: Actor): string =>
  actor.kind === 'person' ? actor.name : actor.kind === 'board' ? `muster:${actor.name}` : `agent:${actor.name}`

/** Whether what rows and events name so is an agent. */
export const isAgentName = (name: string): boolean => name.startsWith('agent:')

/** Whether this actor may open a human gate. */
export const opensGates = (actor: Actor): boolean => actor.kind === 'person' || actor.kind === 'orchestrator'

/** A worker may change its own card while its run owns it, and the cards its run created; everyone else, any card. */
export const mayChange = (actor: Actor, task: Task): boolean =>
  actor.kind !== 'worker' ||
  (task.id === actor.taskId && task.currentRunId === actor.runId) ||
  task.createdByRun === actor.runId

export const actorRun = (actor: Actor): Task['createdByRun'] =>
  actor.kind === 'worker' || actor.kind === 'orchestrator' ? actor.runId : null
