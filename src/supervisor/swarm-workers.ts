/** The workers that a settlement may reopen, if the card is the verifier of a swarm. */
import { isVerifier } from '../core/swarm.ts'
import type { Task } from '../core/task.ts'
import type { VerbInput } from '../core/transitions/index.ts'
import type { Store } from '../storage/store.ts'
import { newCommentId } from '../util/mint.ts'

type Workers = NonNullable<VerbInput<'settle'>['workers']>

/** The cards of a swarm never change, so they may be read before the settlement locks them. */
export async function swarmWorkers(
  store: Pick<Store, 'swarmMembers'>,
  task: Pick<Task, 'swarm' | 'swarmRole'>,
): Promise<Workers> {
  if (!isVerifier(task) || task.swarm === null) return []
  const members = await store.swarmMembers(task.swarm)
  return members.flatMap(({ id, role }) => (role === 'worker' ? [{ task: id, comment: newCommentId() }] : []))
}
