import type { RunId, TaskId } from './ids.ts'
import type { Task } from './task.ts'

/** The caller of a command. Muster derives it from the calling process, never from the request. */
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

/**
 * The actor's name in rows and events. The name of a person has no prefix; the name of a program has one, such as
 * `agent:`.
 */
export const actorName = (actor: Actor): string =>
  actor.kind === 'person' ? actor.name : actor.kind === 'board' ? `muster:${actor.name}` : `agent:${actor.name}`

/** Whether a name in a row or an event belongs to an agent. */
export const isAgentName = (name: string): boolean => name.startsWith('agent:')

/** Whether the actor may make decisions that are reserved for people. Orchestrators may make them too. */
export const opensGates = (actor: Actor): boolean => actor.kind === 'person' || actor.kind === 'orchestrator'

/**
 * Whether the actor may change the card. A worker may change its own card while its run owns the card, and cards that
 * its run created. Other actors may change any card.
 */
export const mayChange = (actor: Actor, task: Task): boolean =>
  actor.kind !== 'worker' ||
  (task.id === actor.taskId && task.currentRunId === actor.runId) ||
  task.createdByRun === actor.runId

export const actorRun = (actor: Actor): Task['createdByRun'] =>
  actor.kind === 'worker' || actor.kind === 'orchestrator' ? actor.runId : null

/** The actor of every change that a dispatcher makes. */
export const DISPATCHER_ACTOR: Actor = { kind: 'board', name: 'dispatcher' }

/** The actor of changes that follow from the entries of a tournament, and of the picks of its judge. */
export const TOURNAMENT_ACTOR: Actor = { kind: 'board', name: 'tournament' }
export const JUDGE_ACTOR: Actor = { kind: 'board', name: 'judge' }

/** The actor that plans cards automatically (`autoDecompose`). */
export const PLANNER_ACTOR: Actor = { kind: 'board', name: 'planner' }
