/** Queries for the columns of a board. Each query reads one range of an index, or at most `HEAD` rows of a range. */
import { FILTER_FIELDS, INDEXED_LISTS } from '../../core/card-fields.ts'
import { isSatisfied } from '../../core/status.ts'
import type { Status } from '../../core/vocabulary.ts'
import { LISTED_TASK, columnName } from '../rows.ts'
import { join, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { CardOrder, ColumnFilter, GroupField } from '../store.ts'
import { IN_PLACE, conditionsOf, containing, orderOf } from './tasks.ts'
import { WAIT_COLUMNS } from './waits.ts'

/**
 * The maximum number of cards in a column that a filter or a special order compares, so that a large board does not
 * make the query slow.
 */
export const HEAD = 10_000

export interface Column {
  readonly board: string
  readonly status: Status
  /** The column `done` has only cards that finished after this time. */
  readonly since: number
}

/** The sort order of a column for which there is an index. */
export const ownOrder = (status: Status): CardOrder =>
  status === 'done' ? 'finished' : isSatisfied(status) ? 'default' : 'start'

function inColumn({ board, status, since }: Column): Sql {
  if (status === 'done')
    return sql`board = ${board} and status = 'done' and deleted_at is null and completed_at > ${since}`
  const unfinished = isSatisfied(status) ? raw('true') : IN_PLACE
  return sql`board = ${board} and status = ${status} and ${unfinished} and deleted_at is null`
}

/** The database columns that filters and orders use. */
const OWN_COLUMNS = [
  'id',
  'board',
  'status',
  'deleted_at',
  'completed_at',
  'priority',
  'rank',
  'title',
  'created_at',
  'updated_at',
]
const FILTERED = FILTER_FIELDS.filter((field) => !INDEXED_LISTS.includes(field)).map((field) => columnName(field))
const HEAD_COLUMNS = raw([...new Set([...OWN_COLUMNS, ...FILTERED, ...WAIT_COLUMNS])].join(', '))

const headOf = (column: Column): Sql =>
  sql`select ${HEAD_COLUMNS} from task where ${inColumn(column)} order by ${orderOf(ownOrder(column.status))} limit ${HEAD}`

/** The ids of the first cards of a column, in its own order. */
export const columnIds = (column: Column, most: number): Sql =>
  sql`select id from task where ${inColumn(column)} order by ${orderOf(ownOrder(column.status))} limit ${most}`

const matching = (board: string, filter: ColumnFilter): Sql =>
  join(conditionsOf(board, { ...filter, archived: true }), ' and ')

export interface ColumnPage {
  readonly filter: ColumnFilter
  readonly order: CardOrder
  /** Conditions for the cards after a position. */
  readonly range: readonly Sql[]
  readonly most: number
}

/** The first cards of a column, in order. */
export function columnCards(column: Column, { filter, order, range, most }: ColumnPage): Sql {
  const by = orderOf(order)
  if (order === ownOrder(column.status) && Object.keys(filter).length === 0)
    return sql`
      select ${LISTED_TASK.columns} from task where ${join([inColumn(column), ...range], ' and ')}
      order by ${by} limit ${most}`
  return sql`
    select ${LISTED_TASK.columns} from task where id in (
      select id from (${headOf(column)}) head where ${join([matching(column.board, filter), ...range], ' and ')}
      order by ${by} limit ${most}
    ) order by ${by}`
}

/** The number of cards in the head of a column that match a filter. */
export const countMatching = (column: Column, filter: ColumnFilter): Sql =>
  sql`select count(*) as n from (${headOf(column)}) head where ${matching(column.board, filter)}`

/** The cards of a column that match a filter and a text, counted by a field. */
export function countGroups(column: Column, { text, ...filter }: ColumnFilter, by: GroupField): Sql {
  const { board } = column
  const match = [matching(board, filter), ...(text === undefined ? [] : [containing(text, board)])]
  const found = sql`(select * from (${headOf(column)}) head where ${join(match, ' and ')}) found`
  const value = raw(columnName(by))
  if (by !== 'labels') return sql`select ${value} as value, count(*) as n from ${found} group by ${value}`
  const labelled = sql`card_value where card_value.board = ${board} and card_value.field = ${by}
    and card_value.task_id = found.id`
  return sql`
    select card_value.value as value, count(*) as n from ${found}, ${labelled} group by card_value.value
    union all select null, count(*) from ${found} where not exists (select 1 from ${labelled}) having count(*) > 0`
}

/** The condition for the cards of a column that a search compares. */
export const columnRange = ({ status, since }: Column): readonly Sql[] =>
  status === 'done' ? [sql`completed_at > ${since}`] : []
