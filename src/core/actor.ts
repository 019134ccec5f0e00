import type { RunId, TaskId } from './ids.ts'
import type { Task } from './task.ts'

/** The caller of a command. Each surface derives it from the runtime identity of the caller, never from the request. */
export type Actor =
  | { readonly kind: 'person'; readonly name: string }
  | {
      readonly kind: 'orchestrator'
      readonly name: string
      readonly taskId: TaskId | null
      readonly runId: RunId | null
    }
  | { readonly kind: 'worker'; readonly name: string; readonly taskId: TaskId; readonly runId: RunId }
  | { readonly kind: 'board'; readonly name: string }

/** The actor as events and rows name it: a person by name alone, a program with a prefix. */
export const actorName = (actor: Actor): string =>
  actor.kind === 'person' ? actor.name : actor.kind === 'board' ? `muster:${actor.name}` : `agent:${actor.name}`

/** Whether this name, from a row or an event, belongs to an agent. */
export const isAgentName = (name: string): boolean => name.startsWith('agent:')

/** Whether the actor may open a human gate. */
export const opensGates = (actor: Actor): boolean => actor.kind === 'person' || actor.kind === 'orchestrator'

/** A worker may change its own card while its run owns it, and the cards its run created. Other actors may change any card. */
export const mayChange = (actor: Actor, task: Task): boolean =>
  actor.kind !== 'worker' ||
  (task.id === actor.taskId && task.currentRunId === actor.runId) ||
  task.createdByRun === actor.runId

export const actorRun = (actor: Actor): Task['createdByRun'] =>
  actor.kind === 'worker' || actor.kind === 'orchestrator' ? actor.runId : null

/** The actor of everything a dispatcher writes. */
export const DISPATCHER_ACTOR: Actor = { kind: 'board', name: 'dispatcher' }
