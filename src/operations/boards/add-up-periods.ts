import { isFailure } from '../../core/limits/retry.ts'
import { PERIOD_RUNS } from '../../storage/store.ts'
import type { AgentUsage } from '../../storage/store.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { requireBoard } from './require-board.ts'

const schemas = ({ z, count, slug, time }: SchemaKit) => ({
  input: z.object({
    board: slug.nullable().default(null).describe('Only this board; null: all boards'),
    from: z
      .array(time)
      .min(1)
      .max(62)
      .readonly()
      .describe(
        'The beginning of each period, oldest first. A period ends where the next period begins; the last period ends now',
      ),
  }),
  output: z.object({
    now: time,
    periods: z
      .array(
        z.object({
          from: time,
          /** The cards that are done and were finished in this period. */
          cards: count,
          /** The runs that failed by the agent's own fault in this period. */
          failed: count,
          /** The runs that ended in this period and reported their usage. */
          runs: count,
          inputTokens: count,
          outputTokens: count,
          costUsd: z.number().min(0),
        }),
      )
      .readonly(),
    /**
     * Whether all runs are counted. False if a board had more than 20,000 runs, so that the oldest runs are left out.
     */
    isExact: z.boolean(),
  }),
})

type Periods = OutputOf<typeof schemas>

export const addUpPeriods = defineOperation({
  name: 'totals',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'Count the finished cards, the failed runs, the tokens and the cost of each period.',
  schemas,
  run: async ({ store }, { board, from }) => {
    if (board !== null) await requireBoard(store, board)
    const boards = board === null ? (await store.boards()).map(({ slug }) => slug) : [board]
    const starts = from.toSorted((a, b) => a - b)
    const { finished, used, endings, now } = await store.totals(boards, starts)
    return {
      now,
      periods: starts.map((start, at) => ({
        from: start,
        cards: finished.reduce((sum, one) => sum + (one.period === at ? one.cards : 0), 0),
        failed: endings.reduce((sum, one) => sum + (one.period === at && isFailure(one.outcome) ? one.runs : 0), 0),
        ...addUp(used.filter(({ day }) => day === at)),
      })),
      isExact: boards.every((slug) => runsOn(slug, used) < PERIOD_RUNS),
    }
  },
})

type Used = AgentUsage & { readonly board: string }

const runsOn = (slug: string, used: readonly Used[]): number =>
  used.reduce((sum, row) => sum + (row.board === slug ? row.runs : 0), 0)

function addUp(rows: readonly Used[]): Omit<Periods['periods'][number], 'from' | 'cards' | 'failed'> {
  const sum = (key: 'runs' | 'inputTokens' | 'outputTokens' | 'costUsd'): number =>
    rows.reduce((all, row) => all + row[key], 0)
  return {
    runs: sum('runs'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: sum('costUsd'),
  }
}
