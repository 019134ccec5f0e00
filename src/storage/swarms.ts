/** Reads the cards of a swarm, the approval that its synthesizer waits for, and its blackboard. */
import type { TaskId } from '../core/ids.ts'
import type { BlackboardEntry, SwarmMember, Verification } from '../core/swarm.ts'
import type { Status, SwarmRole } from '../core/vocabulary.ts'
import { BLACKBOARD } from './rows.ts'
import { chunks, sql, valueList } from './sql.ts'
import type { Sql } from './sql.ts'
import type { CardVerification } from './store.ts'
import { all, askAll } from './tx.ts'
import type { Asking, Row } from './tx.ts'

/**
 * The verifier of each synthesizer among some cards. A synthesizer whose verifier was removed for good has a row without
 * a verifier. Other cards have no row.
 */
const verificationsSql = (ids: readonly TaskId[]): Sql => sql`
  select s.id as synthesizer, v.id, v.status, v.deleted_at, l.waived_by,
    (select count(*) from link vl join task w on w.board = vl.board and w.id = vl.parent_id
      where vl.board = v.board and vl.child_id = v.id and w.workspace_state = 'sweeping') as sweeping
  from task s
    left join task v on v.swarm = s.swarm and v.swarm_role = 'verifier'
    left join link l on l.board = s.board and l.parent_id = v.id and l.child_id = s.id
  where s.id in ${valueList(ids)} and s.swarm_role = 'synthesizer'
  order by s.id`

export function* verificationsOf(ids: readonly TaskId[]): Asking<readonly CardVerification[]> {
  const answers = yield* askAll([...chunks([...ids].sort())].map(verificationsSql))
  return answers.flat().map((row) => ({ synthesizer: row.synthesizer as TaskId, verification: verificationIn(row) }))
}

const verificationIn = (row: Row): Verification => ({
  verifier:
    row.id === null
      ? null
      : {
          id: row.id as TaskId,
          status: row.status as Status,
          deleted: row.deleted_at !== null,
          restorable: Number(row.sweeping) === 0,
        },
  waived: row.waived_by !== null,
})

/** The cards of a swarm: the root, the workers, the verifier, the synthesizer. Cards in the trash are included. */
export function* membersOf(root: TaskId): Asking<readonly SwarmMember[]> {
  const rows = yield* all(sql`
    select id, swarm_role, title, status, assignee, deleted_at from task where swarm = ${root}
    order by case swarm_role when 'root' then 0 when 'worker' then 1 when 'verifier' then 2 else 3 end, id`)
  return rows.map((row) => ({
    id: row.id as TaskId,
    role: row.swarm_role as SwarmRole,
    title: String(row.title),
    status: row.status as Status,
    assignee: row.assignee as string | null,
    deletedAt: row.deleted_at as number | null,
  }))
}

export const entriesOf = (root: TaskId): Sql =>
  sql`select ${BLACKBOARD.columns} from blackboard where root = ${root} order by key`

export function* blackboardUse(root: TaskId, key: string): Asking<{ entries: number; hasKey: boolean }> {
  const rows = yield* all(sql`
    select count(*) as n, count(case when key = ${key} then 1 end) as same from blackboard where root = ${root}`)
  return { entries: Number(rows[0]?.n ?? 0), hasKey: Number(rows[0]?.same ?? 0) > 0 }
}

export const removeEntry = ({ root, key }: Pick<BlackboardEntry, 'root' | 'key'>): Sql =>
  sql`delete from blackboard where root = ${root} and key = ${key}`
