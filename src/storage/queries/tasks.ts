/** Queries for cards. Some statuses are written into the SQL text, because partial indexes need this. */
import type { TaskId } from '../../core/ids.ts'
import { FILTER_FIELDS } from '../../core/card-fields.ts'
import { isSatisfied } from '../../core/status.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import type { Status } from '../../core/vocabulary.ts'
import type { FilterField } from '../../core/card-fields.ts'
import { LISTED_TASK, TASK, columnName } from '../rows.ts'
import { EMPTY, join, valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { foldAscii } from './search.ts'
import { waitCondition } from './waits.ts'
import type { CardOrder, Lane, LanePlace, TaskFilter } from '../store.ts'
import type { Row } from '../tx.ts'

type Key = readonly [expression: string, direction: 'asc' | 'desc']

const asc = (expression: string): Key => [expression, 'asc']
const desc = (expression: string): Key => [expression, 'desc']

/**
 * The sort orders of a list. Each order ends with the id, so that no two cards have the same place and a page can start
 * after any card.
 */
const ORDERS: Readonly<Record<CardOrder, readonly Key[]>> = {
  default: [desc('priority'), asc('created_at'), asc('id')],
  start: [asc('rank'), asc('id')],
  finished: [desc('completed_at'), desc('id')],
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

const keysOf = (sort: CardOrder | undefined): readonly Key[] => ORDERS[sort ?? 'default']

export const taskById = (board: string, id: TaskId): Sql =>
  sql`select ${TASK.columns} from task where board = ${board} and id = ${id}`

/**
 * The position of a card in an order: the key values after which the next page starts. Without a board, the card may be on
 * any board.
 */
export const taskPosition = (board: string | null, id: TaskId, sort: CardOrder | undefined): Sql => {
  const keys = keysOf(sort).map(([expression], at) => `${expression} as key${at}`)
  const here = board === null ? EMPTY : sql`and board = ${board}`
  return sql`select ${raw(keys.join(', '))} from task where id = ${id} ${here}`
}

/** Compares rows of cards by an order, to merge the pages of several boards. */
export function compareRows(sort: CardOrder): (a: Row, b: Row) => number {
  const keys = keysOf(sort).map(([expression, direction]) => {
    const name = /^coalesce\((\w+),/.exec(expression)?.[1] ?? expression
    return { name, sign: direction === 'asc' ? 1 : -1 }
  })
  return (a, b) => {
    for (const { name, sign } of keys) {
      const [left, right] = [a[name] ?? '', b[name] ?? '']
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  }
}

/** The cards of a board, in order. */
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
 * The cards of a board without the cards that were finished at the time `at`. The query reads a range of an index for
 * each status, so it does not read the finished cards. With a limit, it reads only the first cards of each status.
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
 * The ranges of cards after a position in the order. The first range has the cards that share all sort keys except the
 * last. The next range has the cards that share all keys except the last two, and so on. Each range is one range of an
 * index. A single query with `or` would read from the start of the board.
 */
export function rangesBehind(sort: CardOrder | undefined, place: Row): (readonly Sql[])[] {
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

/**
 * Whether an index has the order of the list. With such an index, the first cards are found without sorting the whole
 * board.
 */
export function hasIndexedOrder({ sort = 'default', status, statuses, archived = false }: TaskFilter): boolean {
  if (statuses !== undefined) return false
  if (sort === 'title') return status === undefined && !archived
  if (sort === 'start') return status !== undefined && !isSatisfied(status)
  if (sort === 'finished') return status === 'done'
  return (sort === 'default' || sort === 'priority-desc') && (status !== undefined || !archived)
}

/** The first cards of a range, with or without the searched text. */
export interface Head {
  readonly board: string
  readonly filter: TaskFilter
  readonly range: readonly Sql[]
  readonly depth: number
}

/** The cards among the first cards of a range that contain a text, in order. */
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

/** The number of cards that contain a text, among the first `depth` cards of a range. */
export function countInHead({ board, filter, range, depth }: Head, text: string): Sql {
  const conditions = join([...conditionsOf(board, filter), ...range], ' and ')
  return sql`
    select count(*) as n from (select id, title, body, result from task where ${conditions} limit ${depth}) head
    where ${contains(text, board, 'head')}`
}

/**
 * The number of cards at the start of a range that are compared. This is smaller than `depth` if the range has fewer
 * cards.
 */
export function headSize({ board, filter, range, depth }: Head): Sql {
  const conditions = join([...conditionsOf(board, filter), ...range], ' and ')
  return sql`select count(*) as n from (select 1 as one from task where ${conditions} limit ${depth}) head`
}

export const orderOf = (sort: CardOrder | undefined): Sql =>
  raw(
    keysOf(sort)
      .map(([expression, direction]) => `${expression} ${direction}`)
      .join(', '),
  )

/**
 * Counts cards that were already done at the time `at`. The query compares only the last `most` of these cards with the
 * filter. It returns the number of matches and the number of compared cards.
 */
export const countDone = (board: string, filter: TaskFilter, { at, most }: { at: number; most: number }): Sql => sql`
  select count(*) as compared, count(case when ${join(conditionsOf(board, filter), ' and ')} then 1 end) as matching
  from (select ${LISTED_TASK.columns} from task
    where board = ${board} and status = 'done' and deleted_at is null and completed_at <= ${at}
    order by completed_at desc, id desc limit ${most}) head`

/** The literal predicate of the index `task_place`. */
export const IN_PLACE = raw(`(status = 'done' or status = 'archived') is not true`)

interface Neighbour {
  readonly board: string
  readonly status: Status
  readonly from: LanePlace | null
  readonly direction: 'up' | 'down'
  readonly except: TaskId
}

const unfinishedIn = (board: string, status: Status): Sql =>
  sql`board = ${board} and status = ${status} and ${IN_PLACE} and deleted_at is null`

/** Returns the next unfinished card of a column above or below a place. */
export function neighbourOf({ board, status, from, direction, except }: Neighbour): Sql {
  const [compare, order] = direction === 'up' ? [raw('<'), raw('desc')] : [raw('>'), raw('asc')]
  const beyond = from === null ? EMPTY : sql`and (rank, id) ${compare} (${from.rank}, ${from.id})`
  return sql`select id, rank from task where ${unfinishedIn(board, status)} and id <> ${except} ${beyond}
    order by rank ${order}, id ${order} limit 1`
}

interface Forward {
  readonly board: string
  readonly status: Status
  readonly last: LanePlace
}

/** The unfinished cards of a column from its first card to `last`. */
const upTo = ({ board, status, last }: Forward): Sql =>
  sql`${unfinishedIn(board, status)} and (rank, id) <= (${last.rank}, ${last.id})`

/** Locks the cards from the first card of a column to `last`, in the order of their ids. */
export const lockUpTo = (cards: Forward, lock: Sql): Sql =>
  sql`select count(*) as n from (select id from task where ${upTo(cards)} order by id ${lock}) locked`

/** Lowers the ranks of the cards from the first card of a column to `last`. */
export const moveForward = (cards: Forward, by: number): Sql =>
  sql`update task set rank = rank - ${by}, rank_shift = rank_shift - ${by} where ${upTo(cards)}`

/** All conditions of a filter except the searched text. */
export function conditionsOf(board: string, filter: TaskFilter): Sql[] {
  const conditions: Sql[] = [sql`board = ${board}`, raw('deleted_at is null')]
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`)
  else if (filter.statuses !== undefined) conditions.push(sql`status in ${valueList(filter.statuses)}`)
  else if (filter.archived !== true) conditions.push(raw(`status <> 'archived'`))
  if (filter.unfinishedAt !== undefined)
    conditions.push(sql`(status <> 'done' or completed_at is null or completed_at > ${filter.unfinishedAt})`)
  if (filter.sort === 'finished') conditions.push(raw(`status = 'done'`))
  if (filter.sort === 'start' && filter.status !== undefined && !isSatisfied(filter.status)) conditions.push(IN_PLACE)
  if (filter.minPriority !== undefined) conditions.push(sql`priority >= ${filter.minPriority}`)
  if (filter.changedSince !== undefined) conditions.push(sql`updated_at >= ${filter.changedSince}`)
  if (filter.finishedSince !== undefined) conditions.push(sql`completed_at >= ${filter.finishedSince}`)
  for (const field of filter.without ?? [])
    conditions.push(
      field === 'labels'
        ? sql`id not in (select task_id from card_value where board = ${board} and field = ${field})`
        : raw(`${columnName(field)} is null`),
    )
  if (filter.waitsFor !== undefined) conditions.push(waitCondition(board, filter.waitsFor))
  if (filter.assignees !== undefined)
    conditions.push(sql`coalesce(assignee, '') in ${valueList(filter.assignees.map((name) => name ?? ''))}`)
  for (const field of FILTER_FIELDS) conditions.push(...fieldConditions(board, field, filter[field]))
  if (filter.parent !== undefined)
    conditions.push(
      // Compares the board with a value and not with `task.board`. With a join, PostgreSQL would check the parents of
      // every card.
      sql`id in (select child_id from link where board = ${board} and parent_id = ${filter.parent})`,
    )
  return conditions
}

/**
 * The conditions of one field. A list field has a row in `card_value` for each value, because searching the lists would
 * read the whole board.
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
 * Whether the title, the body, the result or a comment of a card contains a text. The case of ASCII letters is ignored.
 * The comments are in a scalar subquery, because PostgreSQL might read the comments of all cards for `exists`.
 */
function contains(text: string, board: string, from: 'task' | 'head'): Sql {
  const pattern = `%${foldAscii(text).replace(/[\\%_]/g, (match) => `\\${match}`)}%`
  const like = sql`like ${pattern} escape '\\'`
  const column = (name: string): Sql => raw(`lower(coalesce(${from}.${name}, ''))`)
  return sql`(${column('title')} ${like} or ${column('body')} ${like} or ${column('result')} ${like}
    or (select 1 from comment where comment.board = ${board} and comment.task_id = ${raw(`${from}.id`)}
      and lower(comment.body) ${like} limit 1) = 1)`
}

/** The condition for the cards with an id in `found` that contain a text. */
export const containing = (text: string, board: string): Sql =>
  sql`head.id in (select task.id from task where board = ${board} and ${contains(text, board, 'task')})`

/** The links of some cards to their parents and children. */
export const edgesOf = (board: string, ids: readonly TaskId[]): Sql => sql`
  select parent_id, child_id from link where board = ${board} and parent_id in ${valueList(ids)}
  union
  select parent_id, child_id from link where board = ${board} and child_id in ${valueList(ids)}
  order by parent_id, child_id`

export const tasksById = (ids: readonly TaskId[]): Sql =>
  sql`select ${TASK.columns} from task where id in ${valueList(ids)} order by id`

/** The ASCII white space that JavaScript's `trim` removes. */
const WHITE_SPACE = ' \t\n\v\f\r'

export const withoutBody = (board: string, ids: readonly TaskId[]): Sql => sql`
  select id from task
  where board = ${board} and id in ${valueList(ids)} and (body is null or ltrim(body, ${WHITE_SPACE}) = '')
  order by id`

/**
 * Searches the prefix as a range, so that the engine uses an index. The character `~` sorts after every character of an
 * id.
 */
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

/** The cards whose deadline has passed, earliest first. */
export const dueTasks = (now: number, limit: number): Sql => sql`
  select board, id, status, due_at, current_run_id from task where due_at is not null and due_at <= ${now}
  order by due_at, id limit ${limit}`

/** The condition repeats the predicate of the index `task_plan_due`. Cards with fewer tries come first. */
export const plannableTasks = (board: string, now: number, limit: number): Sql => sql`
  select id from task where board = ${board} and status = 'triage' and block_kind is null and decomposed_at is null
    and started_at is null and deleted_at is null and plan_after <= ${now}
  order by plan_after, created_at, id limit ${limit}`

/** The condition repeats the text of an index predicate, so that the engine uses the index. */
export const openTournaments = (limit: number): Sql => sql`
  select ${TASK.columns} from task
  where tournament is not null and status in ('todo', 'blocked') and deleted_at is null
  order by board, id limit ${limit}`

export const nextDue = (): Sql => sql`select min(due_at) as due_at from task where due_at is not null`

const READY = raw(`status = 'ready' and held = 0 and commands_approved = 1 and due_at is null and deleted_at is null`)
const DUE_FOR_REVIEW = raw(
  `status = 'review' and held = 0 and breaker_open = 0 and due_at is null and deleted_at is null`,
)

const laneOf = (phase: Lane['phase']): { condition: Sql; runner: Sql } =>
  phase === 'review'
    ? { condition: DUE_FOR_REVIEW, runner: raw('reviewer') }
    : { condition: READY, runner: raw('assignee') }

/**
 * The agents that have cards to start or to review on a board. The query makes one search in an index for each agent,
 * not for each card.
 */
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

/** Whether the board has cards that name no assignee, or cards in review that name no reviewer. */
export function hasUnclaimed(board: string, phase: Lane['phase']): Sql {
  const { condition, runner } = laneOf(phase)
  return sql`select 1 as found from task where board = ${board} and ${condition} and ${runner} is null limit 1`
}

/**
 * The cards of a queue that should start next, after a position. Sorting by agent first lets PostgreSQL read an index
 * instead of sorting the unassigned cards.
 */
export function laneHead({ board, agent, phase }: Lane, limit: number, after: LanePlace | null): Sql {
  const { condition, runner } = laneOf(phase)
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  const behind = after === null ? EMPTY : sql`and (rank, id) > (${after.rank}, ${after.id})`
  return sql`
    select ${TASK.columns} from task where board = ${board} and ${condition} and ${mine} ${behind}
    order by ${runner}, rank, id limit ${limit}`
}

/** The number of cards in a queue, counted up to `most`. */
export function laneSize({ board, agent, phase }: Lane, most: number): Sql {
  const { condition, runner } = laneOf(phase)
  const mine = agent === null ? sql`${runner} is null` : sql`${runner} = ${agent}`
  return sql`
    select count(*) as size from
      (select 1 as one from task where board = ${board} and ${condition} and ${mine} limit ${most}) lane`
}

/** The cards whose deadline is between two points in time, earliest first. */
export const waitingTasks = (from: number, until: number, limit: number): Sql => sql`
  select ${TASK.columns} from task where due_at is not null and due_at > ${from} and due_at <= ${until}
  order by due_at, id limit ${limit}`
