/** Queries for the attempts at the cards of a list, and for their children. */
import type { TaskId } from '../../core/ids.ts'
import { raw, sql, valueList } from '../sql.ts'
import type { Sql } from '../sql.ts'

/**
 * The number of last attempts to search for the checks and changes of a card. A review or a check run has only some of
 * them.
 */
const LAST_ATTEMPTS = 4

/** The latest attempts at some cards. The last attempt of each card comes first. */
export const lastAttempts = (ids: readonly TaskId[]): Sql => sql`
  select r.task_id, r.id, r.attempt, r.phase, r.agent, r.claimed_by, r.started_at, r.ended_at, r.outcome, r.usage,
    r.checks, r.changes, r.log_path
  from task t join run r on r.board = t.board and r.task_id = t.id
  where t.id in ${valueList(ids)} and r.attempt >
    (select max(m.attempt) from run m where m.board = t.board and m.task_id = t.id) - ${LAST_ATTEMPTS}
  order by r.task_id, r.attempt desc`

/** The maximum number of children to count. */
const CHILDREN = 1_000

const childrenOf = raw(`(select c.status from link l join task c on c.board = l.board and c.id = l.child_id
  where l.board = t.board and l.parent_id = t.id and c.deleted_at is null order by l.child_id limit ${CHILDREN}) k`)

/** Counts the children of some cards, and the children that are done. */
export const childProgress = (ids: readonly TaskId[]): Sql => sql`
  select t.id, (select count(*) from ${childrenOf}) as total,
    (select count(*) from ${childrenOf} where k.status in ('done', 'archived')) as done
  from task t where t.id in ${valueList(ids)}`
