/** Queries for upkeep: old events, deleted cards, and folders that no card needs any more. */
import type { RunId, TaskId } from '../../core/ids.ts'
import { EMPTY, valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** The next part of the event log: the id of its last event, and the time of its oldest event. */
export const stretchAfter = (after: number, length: number): Sql => sql`
  select max(id) as last, min(created_at) as oldest
  from (select id, created_at from event where id > ${after} order by id limit ${length}) stretch`

export interface Stretch {
  readonly after: number
  readonly last: number
  readonly before: number
  readonly board: string | null
}

/**
 * The condition for old events whose card is finished or removed for good. Events of the board itself are few and are
 * kept. Edits by an agent are kept while the card exists: if the card is reopened, Muster must know that an agent wrote
 * the text.
 */
const forgettable = ({ after, last, before, board }: Stretch): Sql => sql`
  id > ${after} and id <= ${last} and created_at < ${before} and task_id is not null
  ${board === null ? EMPTY : sql`and board = ${board}`}
  and not exists (select 1 from task where task.board = event.board and task.id = event.task_id
    and (task.status not in ('done', 'archived')
      or (event.kind in ('edited', 'specified') and event.actor like 'agent:%')))`

export const countForgettable = (stretch: Stretch): Sql =>
  sql`select count(*) as n from event where ${forgettable(stretch)}`

/** Deletes the events. Returns their ids. */
export const forget = (stretch: Stretch): Sql => sql`delete from event where ${forgettable(stretch)} returning id`

/**
 * Raises the floor, the oldest id that a cursor may have. If two processes raise the floor at once, the higher value is
 * kept.
 */
export const raiseFloor = (to: number): Sql => sql`
  insert into meta (key, value) values ('floor', ${String(to)}) on conflict (key) do update set value =
    case when cast(meta.value as bigint) < cast(excluded.value as bigint) then excluded.value else meta.value end`

/** The cards of a board that were deleted before a point in time, oldest deletion first. */
export const deletedBefore = (board: string, before: number): Sql => sql`
  select id, title, deleted_at, workspace_kind, workspace_path, workspace_repo, workspace_state, workspace_base,
    workspace_base_branch from task
  where deleted_at is not null and deleted_at <= ${before} and board = ${board} order by deleted_at, id`

/**
 * The cards that may still read the files of a card: unfinished children, children that finished a short time ago, and
 * the unfinished synthesizer of a swarm, which reads the files of all workers.
 */
const reader = (before: number): Sql => sql`
  select 1 from link l join task c on c.board = l.board and c.id = l.child_id
  where l.board = task.board and l.parent_id = task.id and c.deleted_at is null
    and (c.status not in ('done', 'archived') or (task.status = 'done' and c.status = 'done' and c.updated_at > ${before}))
  union all
  select 1 from task c where task.swarm_role = 'worker' and c.swarm = task.swarm and c.swarm_role = 'synthesizer'
    and c.deleted_at is null and c.status not in ('done', 'archived')`

/** The condition that an unfinished child of the card `s` may read the files of that card. */
const HAS_UNFINISHED_CHILD = raw(`exists (select 1 from link k join task d on d.board = k.board and d.id = k.child_id
  where k.board = s.board and k.parent_id = s.id and d.deleted_at is null and d.status not in ('done', 'archived'))`)

/**
 * The cards that need the folder of this card: unfinished cards that use it or have an unfinished child, and unfinished
 * cards that will use it because they name the same branch.
 */
const sharer = sql`
  select 1 from task s where s.board = task.board and s.workspace_owner = task.id and s.deleted_at is null
    and (s.status not in ('done', 'archived') or ${HAS_UNFINISHED_CHILD})
  union all
  select 1 from task n where task.workspace_kind = 'worktree' and n.workspace_kind = 'worktree'
    and n.branch = task.branch and n.workspace_repo = task.workspace_repo and n.id <> task.id and n.board = task.board
    and n.deleted_at is null and n.status not in ('done', 'archived')`

/**
 * The worktrees of archived cards. They are removed without a waiting time, but only after their branch has landed, so
 * that no work is lost.
 */
const ARCHIVED_WORKTREE = raw("(status = 'archived' and workspace_kind = 'worktree')")

/**
 * The cards whose folder Muster may remove: finished cards without changes since `before`, and worktrees of archived
 * cards. Cards whose removal has begun are included, even if they were deleted later. A kept worktree is included too,
 * because its branch may have landed in the meantime.
 */
export const sweepable = (board: string, ids: readonly TaskId[], before: number): Sql => sql`
  select id from task where board = ${board} and id in ${valueList(ids)}
    and (workspace_kind = 'worktree' or (workspace_kind = 'scratch' and workspace_state <> 'kept'))
    and (workspace_state = 'sweeping' or (deleted_at is null
      and (status in ('done', 'archived') and (updated_at <= ${before} or ${ARCHIVED_WORKTREE})) and not exists (${reader(before)})
      and not exists (${sharer})))
  order by id`

/** The finished cards whose folder is kept only for an unfinished child. */
export const deferred = (board: string, ids: readonly TaskId[]): Sql => sql`
  select id from task where board = ${board} and id in ${valueList(ids)} and deleted_at is null
    and workspace_kind in ('scratch', 'worktree') and workspace_state = 'live' and status in ('done', 'archived')
    and exists (select 1 from link l join task c on c.board = l.board and c.id = l.child_id
      where l.board = task.board and l.parent_id = task.id and c.deleted_at is null
        and c.status not in ('done', 'archived'))
  order by id`

/** The cards whose folder has been in state `sweeping` since before a point in time. */
export const sweepingSince = (board: string, before: number): Sql => sql`
  select id from task where board = ${board} and workspace_state = 'sweeping' and updated_at <= ${before}
  order by id`

/** The directories or repositories of users in which cards work, without duplicates. */
export const namedPlaces = (kind: 'dir' | 'worktree'): Sql => {
  const column = raw(kind === 'dir' ? 'workspace_path' : 'workspace_repo')
  const named = sql`workspace_kind = ${raw(`'${kind}'`)} and ${column} is not null and deleted_at is null
    and status <> 'archived'`
  return sql`
    with recursive named (place) as (
      select min(${column}) from task where ${named}
      union all
      select (select min(${column}) from task where ${named} and ${column} > named.place)
      from named where named.place is not null
    )
    select place from named where place is not null`
}

/** The end times of some runs. The time is null for an open run. An unknown run has no row. */
export const endsOf = (ids: readonly RunId[]): Sql => sql`
  select id, board, ended_at from run where id in ${valueList(ids)}`

/** The ids of cards that this board has or had, according to its events. */
export const everKnown = (board: string, ids: readonly TaskId[]): Sql => sql`
  select id from task where board = ${board} and id in ${valueList(ids)}
  union
  select task_id from event where board = ${board} and task_id in ${valueList(ids)}`
