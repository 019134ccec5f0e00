import { approvalCauseOf } from '../core/gates/command-approval.ts'
import type { ApprovalCause, AgentTrust } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'
import { wasReplaced } from '../workspaces/directory.ts'
import type { Agent } from './agent.ts'
import { causeForCardApproval, isLimitedToFolder, trustedBy } from './permissions.ts'
import type { Roster } from './roster.ts'
import { cardFolder } from './skills/skill-folders.ts'

/**
 * The reason why a person must approve the card before this agent may run it. Null means that no approval is needed.
 * The claim checks the approval again.
 */
export async function toApprove(
  store: Pick<Store, 'bodyWriter'>,
  task: Task,
  taker: AgentTrust,
): Promise<ApprovalCause | null> {
  const writer = taker.trusted === null ? null : await store.bodyWriter(task.board, task.id)
  return approvalCauseOf(task, taker, writer)
}

interface CardAndAgent {
  readonly task: Task
  readonly agent: Pick<Agent, 'permissions' | 'harness'>
  readonly roster: Pick<Roster, 'agents'>
}

/** The facts about this agent on which the approval depends. */
export const agentTrust = async (store: Pick<Store, 'board'>, pair: CardAndAgent): Promise<AgentTrust> => ({
  approvalCause: await beyondAuthor(store, pair),
  trusted: trustedBy(pair.agent, pair.roster),
})

/**
 * The reason why the agent needs approval: it has more permissions than the card's author, or a link has replaced the
 * card's folder.
 */
export const beyondAuthor = async (
  store: Pick<Store, 'board'>,
  { task, agent, roster }: CardAndAgent,
): Promise<ApprovalCause | null> =>
  causeForCardApproval(task, agent, roster) ??
  (isLimitedToFolder(task, roster) && (await leadsElsewhere(store, task)) ? 'wider' : null)

/**
 * Whether a link has replaced the card's folder. The board's default directory may be a link, because a person chose
 * it.
 */
async function leadsElsewhere(store: Pick<Store, 'board'>, { board, workspace }: Task): Promise<boolean> {
  const folder = cardFolder(workspace)
  if (folder === null || !(await wasReplaced(folder))) return false
  return (await store.board(board))?.settings.defaultDirectory !== folder
}
