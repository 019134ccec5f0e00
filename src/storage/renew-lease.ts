/** Renews the lease of a run for its supervisor. Returns the state that the supervisor must know. */
import type { Board } from '../core/board.ts'
import type { Fence } from '../core/run.ts'
import type { Dialect } from './dialect.ts'
import { BOARD, RUN } from './rows.ts'
import { selectOne } from './select.ts'
import { EMPTY, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { HeldLease } from './store.ts'
import { together } from './tx.ts'
import type { Tx } from './tx.ts'

const NO_BOARD = { leaseMs: 0, staleMs: 0 }

export function* renewLease(dialect: Dialect, board: string, fence: Fence, active: boolean): Tx<HeldLease | null> {
  const [found, now] = yield* together<[Board | null, number]>([
    selectOne(BOARD, sql`select ${BOARD.columns} from board where slug = ${board}`),
    dialect.now(),
  ])
  const { leaseMs, staleMs } = found?.settings ?? NO_BOARD
  const leaseUntil = now + leaseMs
  const run = yield* selectOne(RUN, renewed(board, fence, { leaseUntil, activityAt: active ? now : null }))
  if (run === null) return null
  return { leaseUntil, leaseMs, staleMs, intent: run.intent, lastActivityAt: run.lastActivityAt }
}

/**
 * The statement that renews the lease. It returns no row if another run owns the card now. The caller then stops its
 * agent. This is not an error.
 */
const renewed = (
  board: string,
  fence: Fence,
  { leaseUntil, activityAt }: { leaseUntil: number; activityAt: number | null },
): Sql => sql`
  update run set lease_until = ${leaseUntil}${activityAt === null ? EMPTY : sql`, last_activity_at = ${activityAt}`}
  where board = ${board} and id = ${fence.runId} and token_hash = ${fence.tokenHash} and ended_at is null
  returning ${RUN.columns}`
