import { beyondApproval } from '../core/command-approval.ts'
import type { Beyond } from '../core/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'
import type { Agent } from '../workers/agent.ts'
import { beyondItsAuthor, trustedBy } from '../workers/permissions.ts'
import type { Roster } from '../workers/roster.ts'
import { wasReplaced } from '../workspaces/directory.ts'

/** What an agent would do with a card as both stand now that a person has to approve; null: nothing. */
export async function toApprove(
  store: Pick<Store, 'bodyWriter'>,
  task: Task,
  agent: Pick<Agent, 'permissions' | 'harness'>,
  roster: Pick<Roster, 'agents'>,
): Promise<Beyond | null> {
  const beyond = beyondItsAuthor(task, agent, roster) ?? ((await wasReplaced(task)) ? 'wider' : null)
  const taker = { beyond, trusted: trustedBy(agent, roster) }
  const writer = taker.trusted === null ? null : await store.bodyWriter(task.board, task.id)
  return beyondApproval(task, taker, writer)
}
