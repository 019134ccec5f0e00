import { approvalCauseOf } from '../core/gates/command-approval.ts'
import type { ApprovalCause, AgentTrust } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'
import { wasReplaced } from '../workspaces/directory.ts'
import type { Agent } from './agent.ts'
import { beyondItsAuthor, isLimitedToFolder, trustedBy } from './permissions.ts'
import type { Roster } from './roster.ts'
import { cardFolder } from './skills/skill-folders.ts'

/** What a person must approve before this agent may run the card; null: nothing. A claim checks it again. */
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

/** How far this agent may trust the card. */
export const agentTrust = async (store: Pick<Store, 'board'>, pair: CardAndAgent): Promise<AgentTrust> => ({
  approvalCause: await beyondAuthor(store, pair),
  trusted: trustedBy(pair.agent, pair.roster),
})

/** What the agent would do that the card's author may not, or would do in a replaced folder. */
export const beyondAuthor = async (
  store: Pick<Store, 'board'>,
  { task, agent, roster }: CardAndAgent,
): Promise<ApprovalCause | null> =>
  beyondItsAuthor(task, agent, roster) ??
  (isLimitedToFolder(task, roster) && (await leadsElsewhere(store, task)) ? 'wider' : null)

/** Whether the card's folder is now a link. The board's default directory may be one, because a person set it. */
async function leadsElsewhere(store: Pick<Store, 'board'>, { board, workspace }: Task): Promise<boolean> {
  const folder = cardFolder(workspace)
  if (folder === null || !(await wasReplaced(folder))) return false
  return (await store.board(board))?.settings.defaultDirectory !== folder
}
