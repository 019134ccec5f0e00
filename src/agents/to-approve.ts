import { beyondApproval } from '../core/gates/command-approval.ts'
import type { Beyond, AgentTrust } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'
import { wasReplaced } from '../workspaces/directory.ts'
import type { Agent } from './agent.ts'
import { beyondItsAuthor, isKeptToFolder, trustedBy } from './permissions.ts'
import type { Roster } from './roster.ts'
import { folderOf } from './skills/card-shelves.ts'

/** What a person must approve before this agent may run the card; null: nothing. A claim checks it again. */
export async function toApprove(
  store: Pick<Store, 'bodyWriter'>,
  task: Task,
  taker: AgentTrust,
): Promise<Beyond | null> {
  const writer = taker.trusted === null ? null : await store.bodyWriter(task.board, task.id)
  return beyondApproval(task, taker, writer)
}

interface Taking {
  readonly task: Task
  readonly agent: Pick<Agent, 'permissions' | 'harness'>
  readonly roster: Pick<Roster, 'agents'>
}

/** How far this agent may trust the card. */
export const takerOf = async (store: Pick<Store, 'board'>, taking: Taking): Promise<AgentTrust> => ({
  beyond: await beyondAuthor(store, taking),
  trusted: trustedBy(taking.agent, taking.roster),
})

/** What the agent would do that the card's author may not, or would do in a replaced folder. */
export const beyondAuthor = async (
  store: Pick<Store, 'board'>,
  { task, agent, roster }: Taking,
): Promise<Beyond | null> =>
  beyondItsAuthor(task, agent, roster) ??
  (isKeptToFolder(task, roster) && (await leadsElsewhere(store, task)) ? 'wider' : null)

/** The board's default directory comes from a person, and may be a link. */
async function leadsElsewhere(store: Pick<Store, 'board'>, { board, workspace }: Task): Promise<boolean> {
  const folder = folderOf(workspace)
  if (folder === null || !(await wasReplaced(folder))) return false
  return (await store.board(board))?.settings.defaultDirectory !== folder
}
