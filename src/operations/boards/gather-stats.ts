import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { Group } from '../../storage/store.ts'
import type { Stats } from './gather-stats.schema.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

export const gatherStats = defineOperation({
  name: 'stats',
  kind: 'query',
  actor: 'worker',
  scope: 'board',
  summary: 'Count the cards of a board by status and by assignee, and how its reviews went.',
  schemas: () => import('./gather-stats.schema.ts'),
  run: async ({ store, board }) => {
    const [groups, readySince, reviews, now] = await Promise.all([
      store.groups(board),
      store.readySince(board),
      store.reviews(board),
      store.now(),
    ])
    if (groups.length === 0) await requireBoard(store, board)
    return {
      byStatus: countsOf(groups),
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

function countsOf(groups: readonly Group[]): Record<Status, number> {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
  for (const { status, count } of groups) counts[status] += count
  return counts
}

function byAssignee(groups: readonly Group[]): Stats['byAssignee'] {
  const found: Record<string, Partial<Record<Status, number>>> = {}
  for (const { status, assignee, count } of groups)
    if (status !== 'archived') (found[assignee ?? '(unassigned)'] ??= {})[status] = count
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
