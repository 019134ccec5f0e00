/** Creates the cards of series that are due. */
import { DISPATCHER_ACTOR } from '../core/actor.ts'
import type { TaskId } from '../core/ids.ts'
import { newTaskId } from '../util/mint.ts'
import type { LeaderContext } from './dispatch-context.ts'

/** The maximum number of series in one pass. The next pass handles the rest. */
const BATCH = 100

/**
 * Returns the new cards. The dispatchers of other machines may find the same series, but the decision creates only one
 * card for each time. A refusal means that the series was removed meanwhile. If a series cannot create its card, its
 * note explains why.
 */
export async function runDueSeries({ store }: Pick<LeaderContext, 'store'>): Promise<readonly TaskId[]> {
  const now = await store.now()
  const created: TaskId[] = []
  for (const { id, board, nextAt, card } of await store.dueSeries(now, BATCH)) {
    const input = { id, slot: nextAt, task: newTaskId(), parents: card.parents }
    const outcome = await store.decide({ verb: 'run_series', board, actor: DISPATCHER_ACTOR, input })
    if (outcome.ok && outcome.result.task !== null) created.push(outcome.result.task)
  }
  return created
}
