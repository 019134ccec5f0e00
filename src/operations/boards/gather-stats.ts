import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import { isArchived } from '../../core/status.ts'
import type { AgentUsage, CardCount } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

const schemas = ({ z, count, duration, time }: SchemaKit) => ({
  input: z.object({}),
  output: z.object({
    byStatus: z.record(z.enum(STATUSES), count),
    /** The cards by assignee and status, without archived cards. Unassigned cards are counted under `(unassigned)`. */
    byAssignee: z.record(z.string(), z.partialRecord(z.enum(STATUSES), count)),
    /** The age of the oldest ready card. Null means that no card is ready. */
    oldestReadyAgeMs: duration.nullable(),
    /** Statistics about reviews, as far back as events are kept. */
    review: z.object({
      approved: count,
      changesRequested: count,
      /**
       * The median time of the latest reviews, from the request to the decision. Null means that there were no reviews.
       */
      medianMs: duration.nullable(),
      /** The longest time that a card has been in review until now. Null means that no card is in review. */
      oldestMs: duration.nullable(),
    }),
    /**
     * Tokens and cost of the runs that ended in the last 7 days, including today. Agents that report no usage are left
     * out.
     */
    usage: z.object({
      since: time,
      byAgent: z.array(z.object({ agent: z.string(), ...used(z, count) })).readonly(),
      /**
       * The usage of each day, oldest day first. `day` is the beginning of the day in the local time of this machine.
       */
      byDay: z.array(z.object({ day: time, ...used(z, count) })).readonly(),
    }),
    now: time,
  }),
})

const used = (z: SchemaKit['z'], count: SchemaKit['count']) => ({
  runs: count,
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().min(0),
})

const USAGE_DAYS = 7
/** The maximum number of runs to count, which limits the time of the query. A board has far fewer runs in a week. */
const USAGE_RUNS = 20_000

export type Stats = OutputOf<typeof schemas>

export const gatherStats = defineOperation({
  name: 'stats',
  kind: 'query',
  actor: 'worker',
  scope: 'board',
  summary: 'Count the cards of a board, and summarize its reviews, tokens and cost.',
  schemas,
  run: async ({ store, board }) => {
    const now = await store.now()
    const days = lastDays(now)
    const [groups, readySince, reviews, usage] = await Promise.all([
      store.groups(board),
      store.readySince(board),
      store.reviews(board),
      store.usage(board, { days, most: USAGE_RUNS }),
    ])
    if (groups.length === 0) await requireBoard(store, board)
    return {
      byStatus: countGroups(groups),
      byAssignee: byAssignee(groups),
      oldestReadyAgeMs: readySince === null ? null : Math.max(0, now - readySince),
      review: {
        approved: reviews.approved,
        changesRequested: reviews.changesRequested,
        medianMs: median(reviews.waitedMs),
        oldestMs: reviews.oldestAt === null ? null : Math.max(0, now - reviews.oldestAt),
      },
      usage: usageOf(usage, days),
      now,
    }
  },
})

/** The beginnings of the last days in local time, oldest first. A day may have 23 or 25 hours. */
function lastDays(now: number): readonly number[] {
  const today = new Date(now)
  return Array.from({ length: USAGE_DAYS }, (_, at) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - USAGE_DAYS + 1 + at).getTime(),
  )
}

type Used = Pick<AgentUsage, 'runs' | 'inputTokens' | 'outputTokens' | 'costUsd'>

function usageOf(rows: readonly AgentUsage[], days: readonly number[]): Stats['usage'] {
  const agents = [...new Set(rows.map(({ agent }) => agent))]
  return {
    since: days[0] ?? 0,
    byAgent: agents
      .map((agent) => ({ agent, ...total(rows.filter((row) => row.agent === agent)) }))
      .toSorted((a, b) => b.costUsd - a.costUsd || b.inputTokens - a.inputTokens),
    byDay: days.map((day, at) => ({ day, ...total(rows.filter((row) => row.day === at)) })),
  }
}

const total = (rows: readonly AgentUsage[]): Used => ({
  runs: sum(rows, 'runs'),
  inputTokens: sum(rows, 'inputTokens'),
  outputTokens: sum(rows, 'outputTokens'),
  costUsd: sum(rows, 'costUsd'),
})

const sum = (rows: readonly AgentUsage[], key: keyof Used): number => rows.reduce((all, row) => all + row[key], 0)

const median = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null

function countGroups(groups: readonly CardCount[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for (const { status, count } of groups) counts[status] += count
  return counts
}

function byAssignee(groups: readonly CardCount[]): Stats['byAssignee'] {
  const found: Record<string, Partial<Record<Status, number>>> = {}
  for (const { status, assignee, count } of groups)
    if (!isArchived(status)) (found[assignee ?? '(unassigned)'] ??= {})[status] = count
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
