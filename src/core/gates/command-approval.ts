/**
 * An agent can choose the commands that a machine runs: with a check, with a body that runs as a script, or with an
 * assignee that has more permissions. Such a choice waits for a person's approval. Until the approval, the run that
 * created the card may still change it.
 *
 * Some agents read a body as text, others run the body as a script, and a person can reassign a card. So each claim for
 * an agent that runs scripts checks the author of the body. If the author is an agent, the card waits until a person
 * approves the body as a script.
 */
import { isAgentName } from '../actor.ts'
import type { Actor } from '../actor.ts'
import type { Task, TaskPatch } from '../task.ts'

const isAgent = (actor: Actor): boolean => actor.kind === 'worker' || actor.kind === 'orchestrator'

const COMMAND_FIELDS: readonly string[] = ['body', 'checks', 'assignee', 'reviewer', 'workspace']

/** Why a card needs approval: its agent runs the body as a script, or has more permissions than the author. */
export const APPROVAL_CAUSES = ['script', 'wider'] as const
export type ApprovalCause = (typeof APPROVAL_CAUSES)[number]

/**
 * Whether the commands of a new card may run. A card from an agent needs `isApproved: true`. A card from a person may
 * have `isApproved: false`, because the person can copy the text of an agent.
 */
export const isApprovedAtCreation = (actor: Actor, isApproved: boolean | undefined): boolean =>
  isAgent(actor) ? isApproved === true : isApproved !== false

/**
 * The change of the approval after an edit. If an agent changed a field with commands, the approval is withdrawn,
 * unless the caller of the edit approved the new value.
 */
export const approvalAfter = (actor: Actor, changed: readonly string[], isApproved: boolean | undefined): TaskPatch =>
  isApprovedAtCreation(actor, isApproved) || !changed.some((field) => COMMAND_FIELDS.includes(field))
    ? {}
    : { commandsApproved: false }

/** The rules by which an agent accepts cards that other agents wrote. */
export interface AgentTrust {
  /** The reason why this agent needs approval for cards of this author. Null means that it needs no approval. */
  readonly approvalCause: ApprovalCause | null
  /** The authors whose scripts this agent runs without approval. Null means that this agent reads bodies as text. */
  readonly trusted: readonly string[] | null
}

/**
 * The reason why a person must approve the card before this agent may run it. Null means that no approval is needed.
 */
export function approvalCauseOf(
  { createdBy, createdByRun }: Pick<Task, 'createdBy' | 'createdByRun'>,
  { approvalCause, trusted }: AgentTrust,
  bodyWriter: string | null,
): ApprovalCause | null {
  if (createdByRun !== null && approvalCause !== null) return approvalCause
  const author = bodyWriter ?? createdBy
  return trusted === null || !isAgentName(author) || trusted.includes(author) ? null : 'script'
}

/** Whether a person must approve the card before it can start. */
export const awaitsApproval = (
  { commandsApproved }: Pick<Task, 'commandsApproved'>,
  cause: ApprovalCause | null,
): boolean => !commandsApproved || cause !== null

/** The change that an approval makes to a card. From then on, the run that created the card can no longer change it. */
export const APPROVED = { commandsApproved: true, createdByRun: null } as const satisfies TaskPatch
