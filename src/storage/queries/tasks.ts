/** Queries for cards. Statuses are literals in the SQL text if a partial index needs them. */
import type { TaskId } from '../../core/ids.ts'
import { FILTER_FIELDS } from '../../core/card-fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { FilterField } from '../../core/card-fields.ts'
import { LISTED_TASK, TASK, columnName } from '../rows.ts'
import { EMPTY, join, valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { foldAscii } from './search.ts'
import type { Lane, LanePlace, Sort, TaskFilter } from '../store.ts'
import type { Row } from '../tx.ts'

type Key = readonly [expression: string, direction: 'asc' | 'desc']

const asc = (expression: string): Key => [expression, 'asc']
const desc = (expression: string): Key => [expression, 'desc']

/** Every order ends with the id, so that it is total and a page can start after any card. */
const ORDERS: Readonly<Record<Sort, readonly Key[]>> = {
  default: [desc('priority'), asc('created_at'), asc('id')],
  created: [asc('created_at'), asc('id')],
  'created-desc': [desc('created_at'), desc('id')],
  priority: [asc('priority'), asc('created_at'), asc('id')],
  'priority-desc': [desc('priority'), asc('created_at'), asc('id')],
  status: [asc('status'), asc('created_at'), asc('id')],
  assignee: [asc(`coalesce(assignee, '')`), asc('created_at'), asc('id')],
  title: [asc('title'), asc('id')],
  updated: [asc('updated_at'), asc('id')],
  'updated-desc': [desc('updated_at'), desc('id')],
}

const keysOf = (sort: Sort | undefined): readonly Key[] => ORDERS[sort ?? 'default']

export const taskById = (board: string, id: TaskId): Sql =>
  sql`select ${TASK.columns} from task where board = ${board} and id = ${id}`

/** The position of a card in an order: the key values after which the next page starts. */
export const taskPosition = (board: string, id: TaskId, sort: Sort | undefined): Sql => {
  const keys = keysOf(sort).map(([expression], at) => `${expression} as key${at}`)
  return sql`select ${raw(keys.join(', '))} from task where board = ${board} and id = ${id}`
}

/** Cards of a board in order. */
export function tasksOf(board: string, filter: TaskFilter, extra: readonly Sql[] = []): Sql {
  const { unfinishedAt: at, ...rest } = filter
  const { text } = filter
  if (text === undefined && at !== undefined) return shownTasks(board, rest, { at, extra })
  const conditions = [
    ...conditionsOf(board, filter),
    ...(text === undefined ? [] : [contains(text, board, 'task')]),
    ...extra,
  ]
  const page = filter.limit === undefined ? EMPTY : sql`limit ${filter.limit}`
  return sql`select ${LISTED_TASK.columns} from task where ${join(conditions, ' and ')} order by ${orderOf(filter.sort)} ${page}`
}

/**
 * The cards of a board without those that were done at a point in time. Each status is a range of an index, so the
 * query does not read the cards that it leaves out. With a limit, it reads only the first cards of each status.
 */
function shownTasks(
  board: string,
  filter: TaskFilter,
  { at, extra }: { readonly at: number; readonly extra: readonly Sql[] },
): Sql {
  const { status, statuses, archived = false, sort, limit } = filter
  const asked = status === undefined ? (statuses ?? STATUSES.filter((one) => archived || one !== 'archived')) : [status]
  const order = orderOf(sort)
  const idsIn = (one: Status, more: readonly Sql[], page: Sql): Sql => {
    const conditions = [...conditionsOf(board, { ...filter, status: one }), ...extra, ...more]
    return sql`select id from (select id from task where ${join(conditions, ' and ')} ${page}) head`
  }
  const head = limit === undefined ? EMPTY : sql`order by ${order} limit ${limit}`
  const ids = asked.flatMap((one) =>
    one === 'done'
      ? [sql`completed_at > ${at}`, raw('completed_at is null')].map((finished) => idsIn(one, [finished], EMPTY))
      : [idsIn(one, [], head)],
  )
  const page = limit === undefined ? EMPTY : sql`limit ${limit}`
  return sql`
    select ${LISTED_TASK.columns} from task where id in (${join(ids, ' union all ')}) order by ${order} ${page}`
}

/**
 * The cards after a position in the order, as ranges: first the cards that share all sort keys except the last, then
 * the cards that share all except the last two, and so on. Each is one range of an index. A single query with `or`
 * would read from the start of the board.
 */
export function rangesBehind(sort: Sort | undefined, place: Row): (readonly Sql[])[] {
  const keys = keysOf(sort)
  const value = (at: number) => place[`key${at}`] ?? null
  return keys
    .map((_, at): readonly Sql[] => {
      const same = keys.slice(0, at).map(([expression], before) => sql`${raw(expression)} = ${value(before)}`)
      const [expression, direction] = keys[at] ?? asc('id')
      return [...same, sql`${raw(`${expression} ${direction === 'asc' ? '>' : '<'}`)} ${value(at)}`]
    })
    .reverse()
}

/** Whether an index has the order of the list, so that the first cards are found without sorting the whole board. */
export function hasIndexedOrder({ sort = 'default', status, statuses, archived = false }: TaskFilter): boolean {
  if (statuses !== undefined) return false
  if (sort === 'title') return status === undefined && !archived
  return (sort === 'default' || sort === 'priority-desc') && (status !== undefined || !archived)
}

/** The first cards of a range, whether or not they contain the text. */
export interface Head {
  readonly board: string
  readonly filter: TaskFilter
  readonly range: readonly Sql[]
  readonly depth: number
}

/** The cards of a head that contain a text, in order. */
export function matchesInHead({ board, filter, range, depth }: Head, text: string, limit: number): Sql {
  const keys = keysOf(filter.sort)
  const named = raw(keys.map(([expression], at) => `${expression} as key${at}`).join(', '))
  const byName = raw(keys.map(([, direction], at) => `key${at} ${direction}`).join(', '))
  const conditions = join([...conditionsOf(board, filter), ...range], ' and ')
  const order = orderOf(filter.sort)
  return sql`
    select ${LISTED_TASK.columns} from task where id in (
      select head.id from
        (select id, title, body, result, ${named} from task where ${conditions} order by ${order} limit ${depth}) head
      where ${contains(text, board, 'head')} order by ${byName} limit ${limit}
    ) order by ${order}`
}

/** The number of cards in a head. It is less than the depth if the whole range is in the head. */
export function headSize({ board, filter, range, depth }: Head): Sql {
  const conditions = join([...conditionsOf(board, filter), ...range], ' and ')
  return sql`select count(*) as n from (select 1 as one from task where ${conditions} limit ${depth}) head`
}

const orderOf = (sort: Sort | undefined): Sql =>
  raw(
    keysOf(sort)
      .map(([expression, direction]) => `${expression} ${direction}`)
      .join(', '),
  )

/**
 * The number of matching cards among the last `most` cards that were done at a point in time, and the number of cards
 * that were compared.
 */
export const countDone = (board: string, filter: TaskFilter, { at, most }: { at: number; most: number }): Sql => sql`
  select count(*) as compared, count(case when ${join(conditionsOf(board, filter), ' and ')} then 1 end) as matching
  from (select ${LISTED_TASK.columns} from task
    where board = ${board} and status = 'done' and deleted_at is null and completed_at <= ${at}
    order by completed_at desc, id desc limit ${most}) head`

/** All conditions of a filter except the text. */
function conditionsOf(board: string, filter: TaskFilter): Sql[] {
  const conditions: Sql[] = [sql`board = ${board}`, raw('deleted_at is null')]
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`)
  else if (filter.statuses !== undefined) conditions.push(sql`status in ${valueList(filter.statuses)}`)
  else if (filter.archived !== true) conditions.push(raw(`status <> 'archived'`))
  if (filter.unfinishedAt !== undefined)
    conditions.push(sql`(status <> 'done' or completed_at is null or completed_at > ${filter.unfinishedAt})`)
  if (filter.assignees !== undefined)
    conditions.push(sql`coalesce(assignee, '') in ${valueList(filter.assignees.map((name) => name ?? ''))}`)
  for (const field of FILTER_FIELDS) conditions.push(...fieldConditions(board, field, filter[field]))
  if (filter.parent !== undefined)
    conditions.push(
      // Compares the board with a value, not with `task.board`. With a join, PostgreSQL would check the parents of
      // every card.
      sql`id in (select child_id from link where board = ${board} and parent_id = ${filter.parent})`,
    )
  return conditions
}

/**
 * A list field has a row in `card_value` for each of its values, because searching the lists would read the whole
 * board.
 */
function fieldConditions(board: string, field: FilterField, value: TaskFilter[FilterField]): readonly Sql[] {
  if (value === undefined) return []
  if (value === null) return [raw(`${columnName(field)} is null`)]
  if (typeof value === 'string') return [sql`${raw(columnName(field))} = ${value}`]
  return value.map(
    (one) => sql`id in (select task_id from card_value where board = ${board} and field = ${field} and value = ${one})`,
  )
}

/**
 * Whether the title, the body, the result or a comment of a card contains a text. ASCII case is ignored. The comments are
 * a scalar subquery, because PostgreSQL might read the comments of all cards for `exists`.
 */
function contains(text: string, board: string, from: 'task' | 'head'): Sql {
  const pattern = `%${foldAscii(text).replace(/[\\%_]/g, (match) => `\\${match}`)}%`
  const like = sql`like ${pattern} escape '\\'`
  const column = (name: string): Sql => raw(`lower(coalesce(${from}.${name}, ''))`)
  return sql`(${column('title')} ${like} or ${column('body')} ${like} or ${column('result')} ${like}
    or (select 1 from comment where comment.board = ${board} and comment.task_id = ${raw(`${from}.id`)}
      and lower(comment.body) ${like} limit 1) = 1)`
}

/** The links of some cards to their parents and children. */
export const edgesOf = (board: string, ids: readonly TaskId[]): Sql => sql`
  select parent_id, child_id from link where board = ${board} and parent_id in ${valueList(ids)}
  union
  select parent_id, child_id from link where board = ${board} and child_id in ${valueList(ids)}
  order by parent_id, child_id`

export const tasksById = (ids: readonly TaskId[]): Sql =>
  sql`select ${TASK.columns} from task where id in ${valueList(ids)} order by id`

/** Spaces as `trim` of JavaScript removes them from ASCII text. */
const WHITE_SPACE = ' \t\n\v\f\r'

export const withoutBody = (board: string, ids: readonly TaskId[]): Sql => sql`
  select id from task
  where board = ${board} and id in ${valueList(ids)} and (body is null or ltrim(body, ${WHITE_SPACE}) = '')
  order by id`

/** Searches the prefix as a range, so that an index applies: `~` sorts after every character of an id. */
export const tasksByPrefix = (
  prefix: string,
  { deleted = false, board }: { deleted?: boolean; board?: string } = {},
): Sql => sql`
  select id, board, title from task
  where id >= ${prefix} and id < ${`${prefix}~`} ${board === undefined ? EMPTY : sql`and board = ${board}`}
    ${deleted ? EMPTY : sql`and deleted_at is null`}
  order by id limit 5`

export const countsOf = (board: string): Sql =>
  sql`select status, sum(n) as n from tally where board = ${board} group by status`

/** Cards whose deadline has passed, earliest first. */
export const dueTasks = (now: number, limit: number): Sql => sql`
  select board, id, status, due_at, current_run_id from task where due_at is not null and due_at <= ${now}
  order by due_at, id limit ${limit}`

export const nextDue = (): Sql => sql`select min(due_at) as due_at from task where due_at is not null`

const READY = raw(`status = 'ready' and held = 0 and commands_approved = 1 and due_at is null and deleted_at is null`)
const DUE_FOR_REVIEW = raw(
  `status = 'review' and held = 0 and breaker_open = 0 and due_at is null and deleted_at is null`,
)

const laneOf = (phase: Lane['phase']): { condition: Sql; runner: Sql } =>
  phase === 'review'
    ? { condition: DUE_FOR_REVIEW, runner: raw('reviewer') }
    : { condition: READY, runner: raw('assignee') }

/** The runners with startable cards on a board. It takes one index seek for each runner, not for each card. */
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

/** Whether a lane without a named runner has cards: unassigned cards, or cards for the board's reviewer. */
export function hasUnclaimed(board: string, phase: Lane['phase']): Sql {
  const { condition, runner } = laneOf(phase)
  return sql`select 1 as found from task where board = ${board} and ${condition} and ${runner} is null limit 1`
}

/**
 * The cards that should start next in a lane, after a position in it. They are ordered by runner first, so that
 * PostgreSQL reads an index instead of sorting the unassigned cards.
 */
export function laneHead({ board, agent, phase }: Lane, limit: number, after: LanePlace | null): Sql {
  const { condition, runner } = laneOf(phase)
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  const behind = after === null ? EMPTY : sql`and (rank, id) > (${after.rank}, ${after.id})`
  return sql`
    select ${TASK.columns} from task where board = ${board} and ${condition} and ${mine} ${behind}
    order by ${runner}, rank, id limit ${limit}`
}

/** The number of cards in a lane, counted up to `most`. */
export function laneSize({ board, agent, phase }: Lane, most: number): Sql {
  const { condition, runner } = laneOf(phase)
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  return sql`
    select count(*) as size from
      (select 1 as one from task where board = ${board} and ${condition} and ${mine} limit ${most}) lane`
}

/** Cards whose deadline is between two points in time, earliest first. */
export const waitingTasks = (from: number, until: number, limit: number): Sql => sql`
  select ${TASK.columns} from task where due_at is not null and due_at > ${from} and due_at <= ${until}
  order by due_at, id limit ${limit}`
