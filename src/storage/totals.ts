/** Counts what finished in each of several periods, and what it cost. */
import type { Outcome } from '../core/vocabulary.ts'
import { usageFigures } from './cards.ts'
import type { Dialect } from './dialect.ts'
import { finishedIn } from './finished.ts'
import { endingsIn } from './queries/usage.ts'
import { PERIOD_RUNS } from './store.ts'
import type { Totals } from './store.ts'
import { all, askAll } from './tx.ts'
import type { Tx } from './tx.ts'

export function* readTotals(dialect: Dialect, boards: readonly string[], starts: readonly number[]): Tx<Totals> {
  const now = yield* dialect.now()
  const answers = yield* askAll(boards.map((board) => finishedIn(board, starts, PERIOD_RUNS)))
  const finished = answers.flatMap((rows, at) =>
    rows.map((row) => ({ board: boards[at] ?? '', period: Number(row.period), cards: Number(row.n) })),
  )
  const used: Totals['used'][number][] = []
  for (const board of boards) {
    const figures = yield* usageFigures(dialect.engine, board, { days: starts, most: PERIOD_RUNS })
    used.push(...figures.map((row) => ({ board, ...row })))
  }
  const endings = (yield* all(endingsIn(boards, starts, PERIOD_RUNS))).map((row) => ({
    period: Number(row.period),
    outcome: row.outcome as Outcome,
    runs: Number(row.n),
  }))
  return { now, finished, used, endings }
}
