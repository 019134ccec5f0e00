/** The data invariants as questions: each finds the rows that break it, and where that is safe, says how to mend them. */
import { raw } from '../sql.ts'
import type { Sql } from '../sql.ts'

export interface Rule {
  readonly name: string
  /** Rows `board, id, was, now` that break the rule; `now` is what a fix would write. */
  readonly find: Sql
  readonly message: string
  /** Makes the value right; absent where only a person can tell what is. */
  readonly fix?: Sql
}

const RECOUNT = `(select count(*) from link l join task p on p.board = l.board and p.id = l.parent_id
  where l.board = task.board and l.child_id = task.id and l.waived_by is null
    and p.deleted_at is null and p.status not in ('done', 'archived'))`

export const RULES: readonly Rule[] = [
  {
    name: 'open_parents',
    message: 'counts its open parents wrongly',
    find: raw(`select board, id, open_parents as was, ${RECOUNT} as now from task where open_parents <> ${RECOUNT}`),
    fix: raw(`update task set open_parents = ${RECOUNT} where open_parents <> ${RECOUNT}`),
  },
  {
    name: 'waiting_without_parents',
    message: 'waits although nothing gates it',
    find: raw(`select board, id, status as was, 'ready' as now from task
      where status = 'todo' and open_parents = 0 and deleted_at is null`),
    fix: raw(`update task set status = 'ready', block_kind = null, block_reason = null, blocked_by = null
      where status = 'todo' and open_parents = 0 and deleted_at is null`),
  },
  {
    name: 'ready_with_parents',
    message: 'is ready although a parent gates it',
    find: raw(`select board, id, status as was, 'todo' as now from task
      where status = 'ready' and open_parents > 0 and deleted_at is null`),
    fix: raw(`update task set status = 'todo' where status = 'ready' and open_parents > 0 and deleted_at is null`),
  },
  {
    name: 'current_run',
    message: 'is running without exactly its own open run',
    find: raw(`select board, id, current_run_id as was, null as now from task
      where current_run_id is not null and not exists (select 1 from run
        where run.id = task.current_run_id and run.board = task.board and run.task_id = task.id and run.ended_at is null)`),
  },
  {
    name: 'orphaned_run',
    message: 'has an open run that it does not point to',
    find: raw(`select run.board, run.task_id as id, run.id as was, null as now from run
      join task on task.board = run.board and task.id = run.task_id
      where run.ended_at is null and task.current_run_id is distinct from run.id`),
  },
  {
    name: 'blocked_without_reason',
    message: 'is blocked and nothing says why',
    find: raw(
      `select board, id, status as was, 'needs_input' as now from task where status = 'blocked' and block_kind is null`,
    ),
    fix: raw(
      `update task set block_kind = 'needs_input', block_reason = 'unknown' where status = 'blocked' and block_kind is null`,
    ),
  },
  {
    name: 'overdue_unseen',
    message: 'is scheduled for a time that nobody will look at',
    find: raw(`select board, id, due_at as was, scheduled_at as now from task
      where status = 'scheduled' and scheduled_at is not null and deleted_at is null
        and (due_at is null or due_at > scheduled_at)`),
    fix: raw(`update task set due_at = scheduled_at where status = 'scheduled' and scheduled_at is not null
      and deleted_at is null and (due_at is null or due_at > scheduled_at)`),
  },
  {
    name: 'cycle',
    message: 'waits for itself through its parents',
    find: raw(`with recursive above (board, id, ancestor) as (
        select board, child_id, parent_id from link
        union
        select above.board, above.id, link.parent_id from above
          join link on link.board = above.board and link.child_id = above.ancestor
      )
      select distinct board, id, null as was, null as now from above where id = ancestor`),
  },
]
