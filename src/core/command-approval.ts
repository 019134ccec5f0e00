/** Commands that agents write wait for a person: a check, the body of a shell card, or giving either to another agent. */
import type { Actor } from './actor.ts'
import type { TaskPatch } from './task.ts'

const isAgent = (actor: Actor): boolean => actor.kind === 'worker' || actor.kind === 'orchestrator'

const COMMAND_FIELDS: readonly string[] = ['body', 'checks', 'assignee']

/**
 * Whether a new card's commands may run. A surface that knows better (full permissions, no shell in sight) vouches for
 * the agent; silence means no.
 */
export const bornApproved = (actor: Actor, vouched: boolean | undefined): boolean => !isAgent(actor) || vouched === true

/** What an agent's change of some fields does to the approval of the card. */
export const approvalAfter = (actor: Actor, changed: readonly string[], vouched: boolean | undefined): TaskPatch =>
  bornApproved(actor, vouched) || !changed.some((field) => COMMAND_FIELDS.includes(field))
    ? {}
    : { commandsApproved: false }
