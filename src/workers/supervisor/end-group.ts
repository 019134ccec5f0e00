/** Makes sure that nothing of a run is left, however it came to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMembers } from '../group.ts'
import type { Leader } from '../wrapper.ts'
import { readLeader } from '../wrapper.ts'
import { terminateGroup } from '../terminate.ts'
import type { Termination } from '../termination.ts'
import { briefly } from './briefly.ts'
import type { Owned } from './owned.ts'
import { SUPERVISOR } from './owned.ts'

/** What cannot be killed keeps its card: no second worker starts while the first one lives. */
const TRY_AGAIN_MS = 10_000

/** `why` null: the run is not ours any more, or nobody can be told; there is no row left to mark. */
export async function endGroup(owned: Owned, wrapper: Leader | null, why: Termination | null): Promise<void> {
  const { host, directory, fence, ticket } = owned
  const leader = (await readLeader(directory, fence)) ?? wrapper
  const key = { run: fence.runId, leader }
  if (groupMembers(host.processes, key).length === 0) return
  if (why !== null) await markTerminating(owned, why)
  while ((await terminateGroup(host.processes, key, ticket)).length > 0) await sleep(TRY_AGAIN_MS)
}

/**
 * The mark precedes the signal, but a store that does not answer saves no process. A refusal means that the run is
 * another's by now; its processes end all the same.
 */
async function markTerminating({ store, ticket, fence }: Owned, reason: Termination): Promise<void> {
  const { board, task } = ticket
  await briefly(() => store.decide({ verb: 'terminating', board, actor: SUPERVISOR, input: { task, fence, reason } }))
}
