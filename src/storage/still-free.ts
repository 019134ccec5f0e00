/**
 * The condition under which a claim may commit. A claim reads its slots and counts their open runs without a lock;
 * otherwise the claims of one machine would wait for each other. So the slots and runs are checked again while no other
 * transaction can commit an event. Every claim and every pause has an event. If another claim took the last place, or a
 * person paused a slot, the store repeats the decision.
 */
import type { Reservation } from '../core/decision.ts'
import type { Condition } from './dialect.ts'
import { directoryUser } from './queries/facts.ts'
import { EMPTY, join, raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'

export const stillFree = (reservation: Reservation): Condition => ({
  query: sql`select 1 as done where (${slotsUnchanged(reservation)}) ${placesLeft(reservation)} ${directoryFree(reservation)}`,
  orConflict: `a place for ${reservation.task} was taken during the decision`,
})

function slotsUnchanged({ slots }: Reservation): Sql {
  const asSeen = slots.map(
    ({ slot }) => sql`(kind = ${slot.kind} and name = ${slot.name} and paused_at is not distinct from ${slot.pausedAt}
      and paused_until is not distinct from ${slot.pausedUntil} and resumed_at is not distinct from ${slot.resumedAt})`,
  )
  return sql`select count(*) = ${slots.length} from slot where ${join(asSeen, ' or ')}`
}

/**
 * The condition that no slot has more runs than its limit. The counts include the new run, because it has been
 * inserted.
 */
function placesLeft({ slots }: Reservation): Sql {
  const within = slots.flatMap(({ slot: { kind, name }, limit }) =>
    limit === null ? [] : [sql`count(*) filter (where ${raw(kind)} = ${name}) <= ${limit}`],
  )
  return within.length === 0
    ? EMPTY
    : sql`and (select ${join(within, ' and ')} from run where ended_at is null and kind = 'agent')`
}

const directoryFree = ({ task, directory }: Reservation): Sql =>
  directory === null ? EMPTY : sql`and not exists (${directoryUser(directory, task)})`
