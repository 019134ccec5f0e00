/** Explains in a few words why the cards of a list do not start. */
import type { Reason } from '../core/reasons/reason.ts'
import { SHOWN, showColumns } from '../operations/boards/show-columns.ts'
import { ReasonFacts, firstObstacle } from '../operations/cards/reasons-of-cards.ts'
import type { ShortTask } from '../storage/store.ts'
import type { Invocation } from './invocation.ts'
import { waitText } from './render/short-reason.ts'

export async function findWaits(cli: Invocation, tasks: readonly ShortTask[]): Promise<ReadonlyMap<string, string>> {
  const { reasons, now } = await (cli.remote === null ? readReasons(cli, tasks) : askReasons(cli))
  return new Map(
    tasks.flatMap(({ id }) => {
      const reason = reasons.get(id) ?? null
      // Holds and missing agents are left out, because the list shows them in its columns.
      if (reason === null || reason.code === 'held' || reason.code === 'unassigned') return []
      const text = waitText(reason, now)
      return text === null ? [] : [[id, text] as const]
    }),
  )
}

interface FoundReasons {
  readonly now: number
  /** The first reason of each card, by id. */
  readonly reasons: ReadonlyMap<string, Reason | null>
}

async function readReasons(cli: Invocation, tasks: readonly ShortTask[]): Promise<FoundReasons> {
  const context = await cli.board('read')
  const facts = await ReasonFacts.read(context)
  const reasons = await facts.reasonsOf(context.store, tasks)
  return { now: facts.now, reasons: new Map(tasks.map(({ id }) => [id, firstObstacle(reasons.get(id))])) }
}

/** The maximum number of cards in each column that are shown with a reason. */
const ASKED = 200

/** A server explains the first cards of each column in one request. */
async function askReasons(cli: Invocation): Promise<FoundReasons> {
  const { now, columns } = await cli.ask(showColumns, { limit: ASKED, all: false, statuses: SHOWN })
  return { now, reasons: new Map(columns.flatMap(({ cards }) => cards.map(({ id, reason }) => [id, reason]))) }
}
