/**
 * Commands that agents write wait for a person: a check, the body of a card that is run as a script, or giving a card
 * to an agent that may do more than its author. A card that a run has made is its own until a person approves it: from
 * then on it counts as the person's, and that run changes it no more.
 *
 * A body is a text to one agent and a script to another, and cards change hands: whoever is to run it as a script asks
 * who wrote it, and what an agent wrote waits until a person has read it as the script that it has become.
 */
import { isAgentName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Task, TaskPatch } from '../task.ts'

const isAgent = (actor: Actor): boolean => actor.kind === 'worker' || actor.kind === 'orchestrator'

const COMMAND_FIELDS: readonly string[] = ['body', 'checks', 'assignee', 'reviewer', 'workspace']

/** What whoever runs a card would do with the words of a run: execute them, or read them with wider permissions. */
export const BEYOND = ['script', 'wider'] as const
export type Beyond = (typeof BEYOND)[number]

/**
 * Whether a new card's commands may run. A surface that knows better (full permissions, no command in sight) vouches
 * for the agent; silence means no.
 */
export const bornApproved = (actor: Actor, vouched: boolean | undefined): boolean => !isAgent(actor) || vouched === true

/** What an agent's change of some fields does to the approval of the card; one that is vouched for leaves it as it was. */
export const approvalAfter = (actor: Actor, changed: readonly string[], vouched: boolean | undefined): TaskPatch =>
  bornApproved(actor, vouched) || !changed.some((field) => COMMAND_FIELDS.includes(field))
    ? {}
    : { commandsApproved: false }

/** Of whoever is to run a card. */
export interface AgentTrust {
  /** What it would do with the words of the run that made the card, and its author may not. */
  readonly beyond: Beyond | null
  /** Where it runs the body as a script: the agents whose body it runs unasked. Null: a body is a text to it. */
  readonly trusted: readonly string[] | null
}

/** What this agent would do with the card as it stands that a person has to approve first; null: nothing. */
export function beyondApproval(
  { createdBy, createdByRun }: Pick<Task, 'createdBy' | 'createdByRun'>,
  { beyond, trusted }: AgentTrust,
  bodyWriter: string | null,
): Beyond | null {
  if (createdByRun !== null && beyond !== null) return beyond
  const author = bodyWriter ?? createdBy
  return trusted === null || !isAgentName(author) || trusted.includes(author) ? null : 'script'
}

/** Whether a person must approve first what this agent would do with the card. */
export const awaitsApproval = ({ commandsApproved }: Pick<Task, 'commandsApproved'>, beyond: Beyond | null): boolean =>
  !commandsApproved || beyond !== null

/** By a person's word: nobody but people and those who steer the board changes it from here on. */
export const APPROVED = { commandsApproved: true, createdByRun: null } as const satisfies TaskPatch
