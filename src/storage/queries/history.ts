/** Queries about earlier work of a card's parents and of its agent, and about reviews. */
import type { TaskId } from '../../core/ids.ts'
import { RUN } from '../rows.ts'
import { valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** The ids of a card's parents that are not in the trash, sorted. */
export const parentIdsOf = (board: string, child: TaskId): Sql => sql`
  select l.parent_id from link l join task p on p.board = l.board and p.id = l.parent_id
  where l.board = ${board} and l.child_id = ${child} and p.deleted_at is null
    and p.swarm_role is distinct from 'root'
  union
  select w.id from task s join task w on w.swarm = s.swarm and w.swarm_role = 'worker' and w.deleted_at is null
  where s.board = ${board} and s.id = ${child} and s.swarm_role = 'synthesizer'
  order by 1`

/** The unfinished parents that some cards wait for. */
export const gatingParents = (board: string, children: readonly TaskId[]): Sql => sql`
  select l.child_id, p.id, p.title, p.status from link l join task p on p.board = l.board and p.id = l.parent_id
  where l.board = ${board} and l.child_id in ${valueList(children)} and l.waived_by is null and p.deleted_at is null
    and p.status not in ('done', 'archived')
  order by l.child_id, p.id`

/**
 * The summary of the newest finished work run of each card. A card without such a run has no row. Reviews are left out,
 * because a child needs to know about the work and not about its approval.
 */
export const lastSummaries = (board: string, ids: readonly TaskId[]): Sql => sql`
  select r.task_id, r.summary from run r
  where r.board = ${board} and r.task_id in ${valueList(ids)}
    and r.attempt = (select max(n.attempt) from run n
      where n.board = r.board and n.task_id = r.task_id
        and n.outcome in ('completed', 'review_requested') and n.from_status <> 'review')`

/** The paths of the stored files of some cards, in the order in which they were added. */
export const storedPaths = (board: string, ids: readonly TaskId[]): Sql => sql`
  select task_id, stored_path from attachment where board = ${board} and task_id in ${valueList(ids)}
  order by task_id, seq`

/**
 * The latest completed runs of an agent on other cards, newest first. The query reads only the start of a range in the
 * index `run_finished`.
 */
export const recentWork = (
  board: string,
  agent: string,
  { except, limit }: { except: TaskId; limit: number },
): Sql => sql`
  select r.task_id, t.title, r.summary, r.ended_at from run r join task t on t.board = r.board and t.id = r.task_id
  where r.board = ${board} and r.agent = ${agent} and r.outcome = 'completed' and r.task_id <> ${except}
    and t.deleted_at is null
  order by r.ended_at desc, r.id desc limit ${limit}`

/** Counts the cards by status and assignee, from the counters of the board. */
export const groupsOf = (board: string): Sql => sql`
  select status, assignee, sum(n) as n from tally
  where board = ${board} group by status, assignee having sum(n) > 0 order by status, assignee`

const READY = raw(`status = 'ready' and deleted_at is null`)

/**
 * The time at which the oldest ready card was created. The query makes one search in `task_column` for each priority,
 * not for each card.
 */
export const oldestReady = (board: string): Sql => sql`
  with recursive step (priority) as (
    select max(priority) from task where board = ${board} and ${READY}
    union all
    select (select max(priority) from task where board = ${board} and ${READY} and priority < step.priority)
    from step where step.priority is not null
  )
  select min((select min(created_at) from task
    where board = ${board} and ${READY} and task.priority = step.priority)) as oldest
  from step where step.priority is not null`

/** Counts the reviews of a board that ended with `kind`, among the stored events. */
export const reviewsCounted = (board: string, kind: 'approved' | 'changes_requested'): Sql => sql`
  select count(*) as n from event
  where board = ${board} and kind = ${kind} and kind in ('approved', 'changes_requested')`

/**
 * The data of the latest reviews of a board that ended with `kind`, newest first. The query reads only the end of the
 * index `event_review`.
 */
export const latestReviews = (board: string, kind: 'approved' | 'changes_requested', limit: number): Sql => sql`
  select data from event
  where board = ${board} and kind = ${kind} and kind in ('approved', 'changes_requested')
  order by id desc limit ${limit}`

/** The time at which the oldest card in review entered review. The query reads one range of the index `task_column`. */
export const oldestInReview = (board: string): Sql => sql`
  select min(review_requested_at) as since from task
  where board = ${board} and status = 'review' and deleted_at is null`

/**
 * The crashes of work runs since a point in time, newest first. The query reads only the end of the index
 * `run_crashed`.
 */
export const crashesSince = (since: number, limit: number): Sql => sql`
  select ${RUN.columns} from run
  where outcome = 'crashed' and ended_at > ${since} and kind = 'agent' and phase = 'work'
  order by ended_at desc limit ${limit}`

/** The attachments of all cards, in the order in which they were recorded. */
export const recordedFiles = (after: number, most: number): Sql => sql`
  select seq, board, task_id, filename, stored_path, size, sha256 from attachment
  where seq > ${after} order by seq limit ${most}`
