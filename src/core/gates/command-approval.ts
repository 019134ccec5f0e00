/**
 * Commands written by an agent wait for a person's approval. Such commands are a check, a body that runs as a script,
 * or an assignee with more permissions than the author. A run may change the cards that it created until a person
 * approves them. Some agents read a body as text, others run it as a script, and a card can be reassigned. Therefore
 * each claim for an agent that runs scripts checks who wrote the body. If an agent wrote it, the card waits until a
 * person approves the body as a script.
 */
import { isAgentName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Task, TaskPatch } from '../task.ts'

const isAgent = (actor: Actor): boolean => actor.kind === 'worker' || actor.kind === 'orchestrator'

const COMMAND_FIELDS: readonly string[] = ['body', 'checks', 'assignee', 'reviewer', 'workspace']

/** Why a card needs approval: its agent runs the body as a script, or has wider permissions than the author. */
export const APPROVAL_CAUSES = ['script', 'wider'] as const
export type ApprovalCause = (typeof APPROVAL_CAUSES)[number]

/**
 * Whether the commands of a new card may run. If an agent created the card, the caller must have approved them. If a
 * person copies the text of an agent, the text is still not approved.
 */
export const isApprovedAtCreation = (actor: Actor, isApproved: boolean | undefined): boolean =>
  isAgent(actor) ? isApproved === true : isApproved !== false

/**
 * The patch after a change of the card. If an agent changed a command field, the approval is withdrawn, unless the
 * caller approved the change.
 */
export const approvalAfter = (actor: Actor, changed: readonly string[], isApproved: boolean | undefined): TaskPatch =>
  isApprovedAtCreation(actor, isApproved) || !changed.some((field) => COMMAND_FIELDS.includes(field))
    ? {}
    : { commandsApproved: false }

/** How the agent of a card treats text written by other agents. */
export interface AgentTrust {
  /** Why this agent needs approval to run a card of this author. Null means that no approval is needed. */
  readonly approvalCause: ApprovalCause | null
  /**
   * The agents whose bodies this agent runs as scripts without approval. Null means that this agent reads bodies as
   * text.
   */
  readonly trusted: readonly string[] | null
}

/** Why a person must approve the card for this agent; null if no approval is needed. */
export function approvalCauseOf(
  { createdBy, createdByRun }: Pick<Task, 'createdBy' | 'createdByRun'>,
  { approvalCause, trusted }: AgentTrust,
  bodyWriter: string | null,
): ApprovalCause | null {
  if (createdByRun !== null && approvalCause !== null) return approvalCause
  const author = bodyWriter ?? createdBy
  return trusted === null || !isAgentName(author) || trusted.includes(author) ? null : 'script'
}

/** Whether a person must approve the card first. */
export const awaitsApproval = (
  { commandsApproved }: Pick<Task, 'commandsApproved'>,
  cause: ApprovalCause | null,
): boolean => !commandsApproved || cause !== null

/** An approved card no longer belongs to the run that created it. */
export const APPROVED = { commandsApproved: true, createdByRun: null } as const satisfies TaskPatch
