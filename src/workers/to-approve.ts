import { beyondApproval } from '../core/command-approval.ts'
import type { Beyond, Taker } from '../core/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../storage/store.ts'
import { wasReplaced } from '../workspaces/directory.ts'
import type { Agent } from './agent.ts'
import { beyondItsAuthor, trustedBy } from './permissions.ts'
import type { Roster } from './roster.ts'

/**
 * What whoever takes a card would do with it as it stands that a person has to approve; null: nothing. A claim asks the
 * same in its own transaction; this is for those who only tell.
 */
export async function toApprove(store: Pick<Store, 'bodyWriter'>, task: Task, taker: Taker): Promise<Beyond | null> {
  const writer = taker.trusted === null ? null : await store.bodyWriter(task.board, task.id)
  return beyondApproval(task, taker, writer)
}

/** An agent as one that is to take a card. */
export const takerOf = async (
  task: Task,
  runner: Pick<Agent, 'permissions' | 'harness'>,
  roster: Pick<Roster, 'agents'>,
): Promise<Taker> => ({ beyond: await beyondAuthor(task, runner, roster), trusted: trustedBy(runner, roster) })

/** What it would do that the author of the card may not have done, or where: in a folder that is another by now. */
export const beyondAuthor = async (
  task: Task,
  runner: Pick<Agent, 'permissions' | 'harness'>,
  roster: Pick<Roster, 'agents'>,
): Promise<Beyond | null> => beyondItsAuthor(task, runner, roster) ?? ((await wasReplaced(task)) ? 'wider' : null)
