/** Fills a board of any size in seconds: the store creates one finished and one ready card, and SQL copies them. */
import type { TaskId } from '../../src/core/ids.ts'
import { openStore } from '../../src/storage/open.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'
import { RUN, TASK } from '../../src/storage/rows.ts'
import type { Table } from '../../src/storage/rows.ts'
import { createCards } from '../../test/helpers/proofs/proof.ts'
import { AGENT, cycle, lead, workOn } from './cycle.ts'
import type { Caller } from './cycle.ts'

/** Ids that sort by number, so that a million rows are appended at the end of their index. */
const numbered = (kind: 't' | 'r', number: string): string => `'${kind}_' || printf('%010d', ${number})`

/**
 * Spreads `claimable` ready cards evenly among finished cards. Each finished card has a run and three events, and about
 * every tenth one has a child.
 */
export async function fillBoard(
  path: string,
  { size, claimable }: { size: number; claimable: number },
): Promise<{ board: Pick<Caller, 'leads'>; ids: readonly TaskId[] }> {
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'create' })
  const board = await lead(store)
  const [done, ready] = (await createCards(store, 2, AGENT)) as [TaskId, TaskId]
  await cycle(board, workOn(done))
  await store.close()

  const every = Math.floor(size / claimable)
  const connection = connect(path, 'rw')
  // These rows need not survive a crash. The benches open new connections with normal settings.
  connection.exec('pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off; begin')
  connection.exec(`create temp table n (i integer primary key)`)
  connection.exec(`insert into n with recursive c (i) as (select 1 union all select i + 1 from c where i < ${size})
    select i from c`)
  const isDone = `n.i % ${every} <> 0`
  copyRows(connection, TASK, { of: `id = '${done}'`, where: isDone, set: { id: numbered('t', 'n.i') } })
  copyRows(connection, TASK, { of: `id = '${ready}'`, where: `not (${isDone})`, set: { id: numbered('t', 'n.i') } })
  copyRows(connection, RUN, {
    of: `task_id = '${done}'`,
    where: isDone,
    set: { id: numbered('r', 'n.i'), task_id: numbered('t', 'n.i') },
  })
  connection.exec(`insert into event (board, kind, task_id, run_id, actor, created_at, data)
    select e.board, e.kind, ${numbered('t', 'n.i')}, e.run_id, e.actor, e.created_at, e.data
    from n, event e where e.task_id = '${done}' and ${isDone} order by n.i, e.id`)
  connection.exec(`insert into link (board, parent_id, child_id, created_at)
    select 'main', ${numbered('t', 'n.i')}, ${numbered('t', 'n.i + 1')}, 0 from n
    where n.i % 10 = 1 and ${isDone} and (n.i + 1) % ${every} <> 0 and n.i < ${size}`)
  connection.exec('commit; drop table n; pragma wal_checkpoint(truncate)')
  await connection.close()
  const ids = Array.from({ length: claimable }, (_, at) => `t_${String((at + 1) * every).padStart(10, '0')}` as TaskId)
  return { board, ids }
}

/** Inserts one copy of a row per number, with some columns changed. */
function copyRows<T>(
  connection: Connection,
  { name, columnNames }: Table<T>,
  { of, where, set }: { of: string; where: string; set: Readonly<Record<string, string>> },
): void {
  const values = columnNames.map((column) => set[column] ?? `t.${column}`)
  connection.exec(`insert into ${name} (${columnNames.join(', ')})
    select ${values.join(', ')} from n, (select * from ${name} where ${of}) t where ${where} order by n.i`)
}
