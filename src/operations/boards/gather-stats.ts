import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import { isArchived } from '../../core/status.ts'
import type { CardCount } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

const schemas = ({ z, count, duration, time }: SchemaKit) => ({
  input: z.object({}),
  output: z.object({
    byStatus: z.record(z.enum(STATUSES), count),
    /** Without archived cards. Unassigned cards count under `(unassigned)`. */
    byAssignee: z.record(z.string(), z.partialRecord(z.enum(STATUSES), count)),
    /** The age of the oldest ready card; null if no card is ready. */
    oldestReadyAgeMs: duration.nullable(),
    /** Reviews, as far back as events are kept. */
    review: z.object({
      approved: count,
      changesRequested: count,
      /** The median time from request to decision of the latest reviews; null if there were none. */
      medianMs: duration.nullable(),
      /** The longest time that a card has been in review; null if no card is in review. */
      oldestMs: duration.nullable(),
    }),
    now: time,
  }),
})

export type Stats = OutputOf<typeof schemas>

export const gatherStats = defineOperation({
  name: 'stats',
  kind: 'query',
  actor: 'worker',
  scope: 'board',
  summary: 'Count the cards of a board by status and assignee, and summarize its reviews.',
  schemas,
  run: async ({ store, board }) => {
    const [groups, readySince, reviews, now] = await Promise.all([
      store.groups(board),
      store.readySince(board),
      store.reviews(board),
      store.now(),
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
      now,
    }
  },
})

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
