/** Statements that are sent as one have the same answers and effects as statements that are sent one by one. */
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { combineQuestions, combineWrites } from '../../../src/storage/postgres/combine.ts'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { list, raw, sql } from '../../../src/storage/sql.ts'
import type { Sql } from '../../../src/storage/sql.ts'
import { Conflict, all, askAll, inSnapshot, isWrite, run, runOrConflict } from '../../../src/storage/tx.ts'
import type { Tx, Write } from '../../../src/storage/tx.ts'

const openPool = (): Pool => {
  const pool = new Pool({ url: inject('postgresUrl'), schema: 'public', readOnly: false }, 1)
  onTestFinished(() => pool.end(1))
  return pool
}

let tables = 0

/** Two tables, the first with the row `(1, 'one')`. */
async function openTables(): Promise<{ pool: Pool; left: Sql; right: Sql; rows: (table: Sql) => Promise<unknown> }> {
  const pool = openPool()
  tables += 1
  const [left, right] = ['left', 'right'].map((side) => raw(`combine_${side}_${process.pid}_${tables}`)) as [Sql, Sql]
  await pool.write(function* () {
    for (const table of [left, right]) yield* run(sql`create table ${table} (id int primary key, word text)`)
    yield* run(sql`insert into ${left} values (1, 'one')`)
  })
  onTestFinished(() => pool.write(() => run(sql`drop table ${left}, ${right}`)))
  const rows = (table: Sql): Promise<unknown> => pool.read(() => all(sql`select id, word from ${table} order by id`))
  return { pool, left, right, rows }
}

function writesOf(body: Tx<void>): Write[] {
  const writes: Write[] = []
  for (let step = body.next([]); step.done !== true; step = body.next([]))
    if (isWrite(step.value)) writes.push(step.value)
  return writes
}

describe('questions of one snapshot', () => {
  const QUESTIONS = [
    sql`select ${'a "quoted" \\ line\nand \u{1F600}'} as text, ${null}::text as nothing`,
    sql`select 9007199254740991::bigint as big, 0.1::double precision as fraction, -3 as small`,
    sql`select 1 as n where false`,
    sql`select n from (values (3), (1), (2)) as v (n) order by n desc`,
    sql`select count(*) as n from (values (1), (2)) as v (n)`,
  ]

  it('have the same answers in one statement as one by one', async () => {
    const pool = openPool()
    const alone = await pool.read(() => askAll(QUESTIONS))
    const together = await pool.read(() => inSnapshot('all', askAll(QUESTIONS)))
    expect(together).toEqual(alone.map((rows) => [...rows]))
    expect(combineQuestions({ ask: QUESTIONS.map((question) => ({ ...question, snapshot: 'all' })) })).toHaveLength(1)
  })

  it('are not combined with questions of another snapshot, or of no snapshot', () => {
    const [one, two, three, four] = QUESTIONS as [Sql, Sql, Sql, Sql]
    const ask = [{ ...one, snapshot: 'a' }, { ...two, snapshot: 'b' }, three, four]
    expect(combineQuestions({ ask }).map(({ statement }) => statement)).toEqual(ask)
  })

  it('are combined only while they have few values, because each list length makes another text', () => {
    const long = sql`select 1 where 1 in ${list(Array.from({ length: 150 }, (_, at) => at))}`
    const ask = [long, long].map((question) => ({ ...question, snapshot: 'a' }))
    expect(combineQuestions({ ask })).toHaveLength(2)
  })
})

describe('writes', () => {
  it('that alter different tables are sent as one statement, and all take effect', async () => {
    const { pool, left, right, rows } = await openTables()
    const body = function* (): Tx<void> {
      yield* runOrConflict(sql`select 1 as done where not exists (select 1 from ${right})`, 'taken', null)
      yield* run(sql`insert into ${right} values (${1}, ${'uno'})`, 'right')
      yield* runOrConflict(sql`update ${left} set word = ${'first'} where id = 1 returning 1 as done`, 'moved', 'left')
    }
    expect(combineWrites(writesOf(body()))).toHaveLength(1)
    await pool.write(body)
    expect([await rows(left), await rows(right)]).toEqual([[{ id: 1, word: 'first' }], [{ id: 1, word: 'uno' }]])
    // The check sees the row now.
    await expect(pool.write(body)).rejects.toEqual(new Conflict('taken, or moved'))
  })

  it('may read the rows of a statement that is sent with them, alone or with other writes', async () => {
    const { pool, left, right, rows } = await openTables()
    const copy = (id: number): Write => ({
      write: sql`insert into ${right} select ${id}::int, word from renamed`,
      from: { name: 'renamed', query: sql`update ${left} set word = word || '+' where id = 1 returning word` },
      orConflict: null,
      alters: 'right',
    })
    await pool.write(function* () {
      yield copy(1)
    })
    const body = function* (): Tx<void> {
      yield* runOrConflict(sql`select 1 as done from ${right} where id = 1`, 'gone', null)
      yield copy(2)
    }
    expect(combineWrites(writesOf(body()))).toHaveLength(1)
    await pool.write(body)
    expect(await rows(left)).toEqual([{ id: 1, word: 'one++' }])
    expect(await rows(right)).toEqual([
      { id: 1, word: 'one+' },
      { id: 2, word: 'one++' },
    ])
  })

  it('are all rolled back when a compare-and-set matches no row', async () => {
    const { pool, left, right, rows } = await openTables()
    const moved = pool.write(function* () {
      yield* run(sql`insert into ${right} values (${1}, ${'uno'})`, 'right')
      yield* runOrConflict(sql`update ${left} set word = 'x' where id = 2 returning 1 as done`, 'moved', 'left')
    })
    await expect(moved).rejects.toEqual(new Conflict('moved'))
    expect([await rows(left), await rows(right)]).toEqual([[{ id: 1, word: 'one' }], []])
  })

  it('to one table are sent one by one, because one statement changes a row only once', async () => {
    const { pool, left, rows } = await openTables()
    await pool.write(function* () {
      for (const letter of ['a', 'b'])
        yield* run(sql`update ${left} set word = word || ${letter}::text where id = 1`, 'left')
    })
    expect(await rows(left)).toEqual([{ id: 1, word: 'oneab' }])
  })

  it('are never followed by a check in the same statement, which would not see them', () => {
    const [insert, check] = [sql`insert into a values (1)`, sql`select 1 from a`]
    const writes = [
      { write: insert, orConflict: null, alters: 'a' },
      { write: check, orConflict: 'gone', alters: null },
    ]
    expect(combineWrites(writes)).toHaveLength(2)
  })
})
