/**
 * The numbers that every screen of the dashboard shows: card counts, items that wait for a person, and the cost of a
 * day.
 */
import type { Status } from '../core/vocabulary.ts'
import { usageFigures } from './cards.ts'
import type { Dialect } from './dialect.ts'
import { finishedUpTo } from './finished.ts'
import { inboxSize } from './inbox.ts'
import { sql } from './sql.ts'
import { SUMMARY_MOST } from './store.ts'
import type { AgentUsage, Summary, SummaryQuery } from './store.ts'
import { all, askAll } from './tx.ts'
import type { Tx } from './tx.ts'

/** The maximum number of runs of a day and a board whose cost is added up. */
const RUNS = 5_000

export function* readSummary(dialect: Dialect, { boards, lanes, since, today }: SummaryQuery): Tx<Summary> {
  const counts = yield* all(
    sql`select board, status, sum(n) as n from tally group by board, status having sum(n) > 0 order by board, status`,
  )
  const finished = since === null ? [] : boards.map(({ slug }) => finishedUpTo(slug, since, SUMMARY_MOST))
  const sizes = yield* askAll(finished)
  const waiting = yield* inboxSize(dialect, { boards, lanes, most: SUMMARY_MOST })
  const used: AgentUsage[] = []
  for (const { slug } of boards)
    used.push(...(yield* usageFigures(dialect.engine, slug, { days: [today], most: RUNS })))
  return {
    counts: counts.map((row) => ({ board: String(row.board), status: row.status as Status, count: Number(row.n) })),
    finished: new Map(sizes.map(([row], at) => [boards[at]?.slug ?? '', Number(row?.n ?? 0)])),
    waiting,
    used: total(used),
  }
}

const total = (rows: readonly AgentUsage[]): Summary['used'] => ({
  runs: sum(rows, 'runs'),
  inputTokens: sum(rows, 'inputTokens'),
  outputTokens: sum(rows, 'outputTokens'),
  costUsd: sum(rows, 'costUsd'),
})

const sum = (rows: readonly AgentUsage[], key: keyof Summary['used']): number =>
  rows.reduce((all, row) => all + row[key], 0)
