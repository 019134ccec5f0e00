import { readRoster } from '../../agents/roster.ts'
import { INBOX_KINDS } from '../../core/inbox.ts'
import { isSlotPaused } from '../../core/gates/admission.ts'
import { TOKEN_SCOPES } from '../../core/token.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import { SUMMARY_MOST } from '../../storage/store.ts'
import type { SharedFacts, Summary } from '../../storage/store.ts'
import { ReasonFacts } from '../cards/reasons-of-cards.ts'
import { cannotRun } from '../inbox/find-items.ts'
import { dispatcherOf, findDispatchers, inactiveText } from '../machine/dispatcher-state.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const schemas = ({ z, count, line, slug, text, time }: SchemaKit) => ({
  input: z.object({
    since: time.nullable().default(null).describe('Count the cards that finished after this time'),
    today: time.nullable().default(null).describe('The beginning of the day for the cost; null: today on this machine'),
  }),
  output: z.object({
    now: time,
    machine: z.object({
      /** The number of runs of agents on this machine, followed by the maximum number of such runs. */
      running: count,
      cap: count.nullable(),
      isPaused: z.boolean(),
    }),
    /** The number of runs of agents on all machines. */
    running: count,
    waiting: z.object({
      /** The number of inbox items. */
      count,
      /** Whether `count` is exact. If false, the inbox may have more items. */
      isExact: z.boolean(),
      byKind: z.partialRecord(z.enum(INBOX_KINDS), count),
    }),
    /** The boards that are not archived. */
    boards: z
      .array(
        z.object({
          slug,
          name: line,
          /** The number of cards by status. A status without cards is left out. */
          counts: z.partialRecord(z.enum(STATUSES), count),
          /**
           * The number of cards that finished after `since`, at most 200. Null means that the caller gave no `since`.
           */
          finished: count.nullable(),
          isPaused: z.boolean(),
        }),
      )
      .readonly(),
    used: z.object({ since: time, runs: count, inputTokens: count, outputTokens: count, costUsd: z.number() }),
    dispatcher: z.object({
      state: z.enum(['active', 'absent', 'hung']),
      /** The problem and its remedy. Null means that a dispatcher is active. */
      problem: text.nullable(),
    }),
    /** The token or session of the caller. This is null for a caller on this machine. */
    caller: z.object({ name: line, scope: z.enum(TOKEN_SCOPES), version: z.string() }).nullable(),
  }),
})

type SummaryView = OutputOf<typeof schemas>

export const showSummary = defineOperation({
  name: 'summary',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'Count what runs, what waits for you, and what finished, on all boards.',
  schemas,
  run: async ({ store, options, caller = null }, { since, today: asked }) => {
    const host = hostIfSupported()
    const [roster, shared, lanes, dispatchers] = await Promise.all([
      readRoster(options.home),
      store.sharedFacts(),
      store.lanes(),
      findDispatchers(store, host),
    ])
    const facts = new ReasonFacts(roster, shared, options)
    const boards = shared.boards.filter(({ archivedAt }) => archivedAt === null)
    const today = asked ?? startOfDay(shared.now)
    const summary = await store.summary({
      boards: boards.map(({ slug, settings }) => ({ slug, reviewer: settings.reviewer })),
      lanes: lanes.filter((lane) => cannotRun(lane, facts)),
      since,
      today,
    })
    const dispatcher = dispatcherOf(dispatchers, null, host)
    const runs = shared.openRuns.filter(({ kind }) => kind === 'agent')
    const machine = host?.machine.id ?? null
    return {
      now: shared.now,
      machine: {
        running: runs.filter((run) => run.machine === machine).length,
        cap: options.machineCap,
        isPaused: machine !== null && isPaused(shared, 'machine', machine),
      },
      running: runs.length,
      waiting: waitingItems(summary),
      boards: boards.map(({ slug, name }) => ({
        slug,
        name,
        counts: countsOf(summary, slug),
        finished: summary.finished.get(slug) ?? null,
        isPaused: isPaused(shared, 'board', slug),
      })),
      used: { since: today, ...summary.used },
      dispatcher: { state: dispatcher.is, problem: dispatcher.is === 'active' ? null : inactiveText(dispatcher) },
      caller,
    }
  },
})

function startOfDay(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
}

const isPaused = ({ slots, now }: SharedFacts, kind: 'board' | 'machine', name: string): boolean =>
  slots.some((slot) => slot.kind === kind && slot.name === name && isSlotPaused(slot, now))

function waitingItems({ waiting }: Summary): SummaryView['waiting'] {
  const found = INBOX_KINDS.filter((kind) => waiting[kind] > 0)
  return {
    count: found.reduce((sum, kind) => sum + waiting[kind], 0),
    isExact: found.every((kind) => waiting[kind] < SUMMARY_MOST),
    byKind: Object.fromEntries(found.map((kind) => [kind, waiting[kind]])),
  }
}

const countsOf = ({ counts }: Summary, board: string): Partial<Record<Status, number>> =>
  Object.fromEntries(counts.flatMap((one) => (one.board === board ? [[one.status, one.count] as const] : [])))
