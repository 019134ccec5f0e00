/**
 * A claim reads its slots and counts open runs without a lock. Otherwise the claims of one machine would wait for each
 * other during every round trip. The slots are locked here, together with the writes, and the counts are checked again.
 * If another claim took the last place, or a slot was paused meanwhile, the claim is decided again.
 */
import type { Reservation } from '../core/decision.ts'
import { directoryUser } from './queries/facts.ts'
import { join, raw, sql } from './sql.ts'
import { runOrConflict } from './tx.ts'
import type { Tx } from './tx.ts'

export function* reserveCapacity({ slots, task, directory }: Reservation): Tx<void> {
  const asSeen = slots.map(
    ({ slot }) => sql`(kind = ${slot.kind} and name = ${slot.name} and paused_at is not distinct from ${slot.pausedAt}
      and paused_until is not distinct from ${slot.pausedUntil} and resumed_at is not distinct from ${slot.resumedAt})`,
  )
  yield* runOrConflict(
    sql`select 1 as done from (select 1 from slot where ${join(asSeen, ' or ')} order by kind, name for update) locked
      having count(*) = ${slots.length}`,
    'a slot changed during the decision',
  )
  const below = slots.flatMap(({ slot: { kind, name }, limit }) =>
    limit === null ? [] : [sql`count(*) filter (where ${raw(kind)} = ${name}) < ${limit}`],
  )
  if (below.length > 0)
    yield* runOrConflict(
      sql`select 1 as done from run where ended_at is null and kind = 'agent' having ${join(below, ' and ')}`,
      'the last free place was taken during the decision',
    )
  if (directory !== null)
    yield* runOrConflict(
      sql`select 1 as done where not exists (${directoryUser(directory, task)})`,
      `the directory of ${task} was taken during the decision`,
    )
}
