/** Why cards of a list do not start, in a few words. */
import { ReasonFacts, firstObstacle } from '../operations/cards/reasons-of-cards.ts'
import type { ShortTask } from '../storage/store.ts'
import type { Invocation } from './invocation.ts'
import { waitText } from './render/short-reason.ts'

export async function findWaits(cli: Invocation, tasks: readonly ShortTask[]): Promise<ReadonlyMap<string, string>> {
  const context = await cli.board('read')
  const facts = await ReasonFacts.read(context)
  const reasons = await facts.reasonsOf(context.store, tasks)
  return new Map(
    tasks.flatMap(({ id }) => {
      const reason = firstObstacle(reasons.get(id))
      // The list already shows holds and missing agents in its columns.
      if (reason === null || reason.code === 'held' || reason.code === 'unassigned') return []
      const text = waitText(reason, facts.now)
      return text === null ? [] : [[id, text] as const]
    }),
  )
}
