/** Queries about the links between cards. */
import type { TaskId } from '../../core/ids.ts'
import { LISTED_TASK } from '../rows.ts'
import { sql, valueList } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** The links of some cards to their parents and children, with the actor that waived a link. */
export const linksOf = (board: string, ids: readonly TaskId[], most: number): Sql => sql`
  select parent_id, child_id, waived_by from link where board = ${board} and parent_id in ${valueList(ids)}
  union
  select parent_id, child_id, waived_by from link where board = ${board} and child_id in ${valueList(ids)}
  order by parent_id, child_id limit ${most}`

/** Some cards of a board, sorted by id, without cards in the trash. */
export const listedById = (board: string, ids: readonly TaskId[]): Sql => sql`
  select ${LISTED_TASK.columns} from task
  where board = ${board} and id in ${valueList(ids)} and deleted_at is null order by id`
