/** Counts the cards of some columns by agent, tenant, workflow or label. */
import type { Dialect } from './dialect.ts'
import { countGroups } from './queries/columns.ts'
import type { CardGroup, GroupsQuery } from './store.ts'
import { askAll } from './tx.ts'
import type { Tx } from './tx.ts'

export function* cardGroups(dialect: Pick<Dialect, 'now'>, asked: GroupsQuery): Tx<readonly CardGroup[]> {
  const since = (yield* dialect.now()) - asked.recentMs
  const columns = asked.statuses.flatMap((status) => asked.boards.map((board) => ({ board, status, since })))
  const answers = yield* askAll(columns.map((column) => countGroups(column, asked.filter ?? {}, asked.by)))
  const counts = new Map<string | null, number>()
  for (const { value, n } of answers.flat()) {
    const key = value === null ? null : String(value)
    counts.set(key, (counts.get(key) ?? 0) + Number(n))
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compare(a.value, b.value))
}

/** Compares the values of two groups. The group without a value comes last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}
