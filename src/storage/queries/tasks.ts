/** Reading cards. Statuses stand in the text where a partial index needs to see them. */
import type { TaskId } from '../../core/ids.ts'
import { TASK } from '../rows.ts'
import { EMPTY, join, list, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Lane, Sort, TaskFilter } from '../store.ts'

const ORDERS: Readonly<Record<Sort, string>> = {
  default: 'priority desc, created_at, id',
  created: 'created_at, id',
  'created-desc': 'created_at desc, id desc',
  priority: 'priority, created_at, id',
  'priority-desc': 'priority desc, created_at, id',
  status: 'status, created_at, id',
  assignee: `coalesce(assignee, ''), created_at, id`,
  title: 'title, id',
  updated: 'updated_at, id',
  'updated-desc': 'updated_at desc, id desc',
}

export const taskById = (board: string, id: TaskId): Sql =>
  sql`select ${TASK.columns} from task where board = ${board} and id = ${id}`

/** Cards of a board in order, a page at a time: `after` is the last card of the page before. */
export function tasksOf(board: string, filter: TaskFilter): Sql {
  const conditions = [sql`board = ${board}`, raw('deleted_at is null'), ...conditionsOf(filter)]
  const order = raw(ORDERS[filter.sort ?? 'default'])
  const page = filter.limit === undefined ? EMPTY : sql`limit ${filter.limit}`
  if (filter.after === undefined)
    return sql`select ${TASK.columns} from task where ${join(conditions, ' and ')} order by ${order} ${page}`
  // The page starts behind the card's place in this very order, found by numbering it once.
  return sql`
    with ordered as (select ${TASK.columns}, row_number() over (order by ${order}) as place
      from task where ${join(conditions, ' and ')})
    select ${TASK.columns} from ordered
    where place > coalesce((select place from ordered where id = ${filter.after}), 0) order by place ${page}`
}

function conditionsOf(filter: TaskFilter): Sql[] {
  const conditions: Sql[] = []
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`)
  else if (filter.archived !== true) conditions.push(raw(`status <> 'archived'`))
  for (const key of ['assignee', 'tenant', 'session', 'workflow', 'step'] as const) {
    const value = filter[key]
    if (value !== undefined) conditions.push(sql`${raw(key)} = ${value}`)
  }
  if (filter.parent !== undefined)
    conditions.push(
      sql`id in (select child_id from link where link.board = task.board and parent_id = ${filter.parent})`,
    )
  if (filter.text !== undefined) {
    const like = `%${filter.text.toLowerCase().replace(/[\\%_]/g, (match) => `\\${match}`)}%`
    conditions.push(sql`(lower(title) like ${like} escape '\\' or lower(coalesce(body, '')) like ${like} escape '\\')`)
  }
  return conditions
}

/** The ends of some cards' edges, both ways. */
export const edgesOf = (board: string, ids: readonly TaskId[]): Sql => sql`
  select parent_id, child_id from link where board = ${board} and parent_id in ${list(ids)}
  union
  select parent_id, child_id from link where board = ${board} and child_id in ${list(ids)}
  order by parent_id, child_id`

/** A prefix as a range, which every index understands: `~` sorts after every character of an id. */
export const tasksByPrefix = (prefix: string): Sql => sql`
  select id, board, title from task where id >= ${prefix} and id < ${`${prefix}~`} and deleted_at is null
  order by id limit 5`

export const countsOf = (board: string): Sql =>
  sql`select status, count(*) as n from task where board = ${board} and deleted_at is null group by status`

/** Cards whose deadline has come, earliest first. */
export const dueTasks = (now: number, limit: number): Sql => sql`
  select board, id, status, due_at, current_run_id from task where due_at is not null and due_at <= ${now}
  order by due_at, id limit ${limit}`

export const nextDue = (): Sql => sql`select min(due_at) as due_at from task where due_at is not null`

const READY = raw(`status = 'ready' and held = 0 and commands_approved = 1 and due_at is null and deleted_at is null`)
const IN_REVIEW = raw(`status = 'review' and held = 0 and breaker_open = 0 and due_at is null and deleted_at is null`)

const laneOf = (phase: Lane['phase']): { condition: Sql; runner: Sql } =>
  phase === 'review' ? { condition: IN_REVIEW, runner: raw('reviewer') } : { condition: READY, runner: raw('assignee') }

/** The runners that have startable cards on a board: one index seek each, however many cards they have. */
export function runnersOf(board: string, phase: Lane['phase']): Sql {
  const { condition, runner } = laneOf(phase)
  return sql`
    with recursive lane (runner) as (
      select min(${runner}) from task where board = ${board} and ${condition}
      union all
      select (select min(${runner}) from task where board = ${board} and ${condition} and ${runner} > lane.runner)
      from lane where lane.runner is not null
    )
    select runner from lane where runner is not null`
}

/** Whether a lane without a runner has cards: nobody assigned, or the board's reviewer. */
export function hasUnclaimed(board: string, phase: Lane['phase']): Sql {
  const { condition, runner } = laneOf(phase)
  return sql`select 1 as found from task where board = ${board} and ${condition} and ${runner} is null limit 1`
}

/** The cards that should start next in a lane. */
export function laneHead({ board, agent, phase }: Lane, limit: number): Sql {
  const { condition, runner } = laneOf(phase)
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  return sql`
    select ${TASK.columns} from task where board = ${board} and ${condition} and ${mine} order by rank, id limit ${limit}`
}
