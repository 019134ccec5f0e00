import { isStalled } from '../../core/limits/last-pass.ts'
import type { Dispatcher } from '../../core/limits/lease.ts'
import { READY } from '../../core/status.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { describeLocation, parseLocation } from '../../storage/location.ts'
import type { ListedTask, Store } from '../../storage/store.ts'
import { groupBy } from '../../util/group-by.ts'
import { ReasonFacts, firstObstacle } from '../cards/reasons-of-cards.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { findDispatchers, inactiveText } from './dispatcher-state.ts'
import type { DispatcherState, Dispatchers } from './dispatcher-state.ts'
import type { HealthReport } from './views.ts'

/** A ready card counts as stuck after this time if no reason stops it. Normally, a card starts within one pass. */
const LATE_MS = 60_000
/** At most this many ready cards of each board are examined, so that the cost does not grow with the board. */
const EXAMINED = 100

export const reportHealth = defineOperation({
  name: 'health',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'Show whether Muster starts cards, and why ready cards wait.',
  schemas: ({ z, healthReport }) => ({ input: z.object({}), output: healthReport }),
  run: async (context) => {
    const { store } = context
    const host = hostIfSupported()
    const [found, now] = await Promise.all([findDispatchers(store, host), store.now()])
    const dispatchers = found.all.map((one) => viewDispatcher(one, { found, now, own: host?.machine.id ?? null }))
    const ready = await examineReady(context)
    const problems = [...dispatcherProblems(dispatchers, found.own), ...lateProblem(ready)]
    return {
      status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
      now,
      server: viewServer(context),
      problems,
      dispatchers,
      ready,
    }
  },
})

function viewServer({ options, caller }: BoardContext): HealthReport['server'] {
  const location = parseLocation(options.store)
  return {
    version: caller?.version ?? null,
    home: options.home,
    store: { engine: location.engine, place: describeLocation(location) },
    machineCap: options.machineCap,
  }
}

type DispatcherView = HealthReport['dispatchers'][number]
type Problem = HealthReport['problems'][number]
type StoppedCard = HealthReport['ready']['reasons'][number]['first']
type WaitingCard = NonNullable<HealthReport['ready']['late']['first']>

function viewDispatcher(
  dispatcher: Dispatcher,
  { found, now, own }: { readonly found: Dispatchers; readonly now: number; readonly own: string | null },
): DispatcherView {
  const { machine, identity, since, leaseUntil, lastPass } = dispatcher
  const isOwn = machine === own
  const is = isOwn ? found.own.is : found.active.has(machine) ? 'active' : 'absent'
  return {
    machine,
    hostname: identity.hostname ?? null,
    isOwn,
    state: is === 'active' && isStalled(dispatcher, now) ? 'stalled' : is,
    pid: identity.pid,
    since,
    leaseUntil,
    lastPass,
  }
}

/** The problems of the dispatchers. One dispatcher that works is enough, because cards also start on other machines. */
function dispatcherProblems(dispatchers: readonly DispatcherView[], own: DispatcherState): Problem[] {
  if (dispatchers.some(({ state }) => state === 'active')) return []
  const stalled = dispatchers.find(({ state }) => state === 'stalled')
  if (stalled !== undefined) {
    const message = `Muster (pid ${stalled.pid}) is running but has stopped looking for cards. Stop it, then run: muster up`
    return [{ code: 'dispatcher_stalled', message }]
  }
  return [{ code: own.is === 'hung' ? 'dispatcher_hung' : 'dispatcher_absent', message: inactiveText(own) }]
}

function lateProblem({ late: { count, first } }: HealthReport['ready']): Problem[] {
  if (first === null) return []
  const cards = count === 1 ? `Card ${first.id} is` : `${count} cards are`
  return [{ code: 'cards_late', message: `${cards} ready but not started. To see why: muster why ${first.id}` }]
}

async function examineReady({ store, options }: BoardContext): Promise<HealthReport['ready']> {
  const facts = await ReasonFacts.read({ store, options })
  const boards = [...facts.boards.values()].filter(({ archivedAt }) => archivedAt === null)
  const counts = await Promise.all(boards.map(({ slug }) => store.counts(slug)))
  const cards = (await Promise.all(boards.map(({ slug }) => readyCards(store, slug)))).flat()
  const reasons = await facts.reasonsOf(store, cards)
  const seen = cards.map((card) => ({
    card: { id: card.id, board: card.board, since: waitsSince(card) },
    reason: firstObstacle(reasons.get(card.id)),
  }))
  const late = seen.filter(({ card, reason }) => reason === null && facts.now - card.since > LATE_MS)
  return {
    count: counts.reduce((sum, { ready }) => sum + ready, 0),
    examined: cards.length,
    late: { count: late.length, first: oldest(late.map(({ card }) => card)) },
    reasons: countReasons(seen.flatMap(({ card, reason }) => (reason === null ? [] : [{ ...card, reason }]))),
  }
}

const countReasons = (stopped: readonly StoppedCard[]): HealthReport['ready']['reasons'] =>
  [...groupBy(stopped, ({ reason }) => reason.code)]
    .flatMap(([code, waiting]) => {
      const first = oldest(waiting)
      return first === null ? [] : [{ code, count: waiting.length, first }]
    })
    .sort((a, b) => b.count - a.count)

const readyCards = (store: Store, board: string): Promise<readonly ListedTask[]> =>
  store.tasks(board, { status: READY, limit: EXAMINED })

/** The time at which a card began to wait: its last change, or the end of its wait for a retry. */
const waitsSince = ({ updatedAt, cooldownUntil, guardUntil }: ListedTask): number =>
  Math.max(updatedAt, cooldownUntil ?? 0, guardUntil ?? 0)

const oldest = <C extends WaitingCard>(cards: readonly C[]): C | null =>
  cards.toSorted((a, b) => a.since - b.since)[0] ?? null
