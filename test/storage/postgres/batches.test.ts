/** Tests that a batch of statements that is sent together with its commit is written completely or not at all. */
import { expect, inject, it, onTestFinished } from 'vitest'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { raw, sql } from '../../../src/storage/sql.ts'
import { Conflict, all, first, run, runOrConflict } from '../../../src/storage/tx.ts'
import type { Tx } from '../../../src/storage/tx.ts'

let tables = 0

/** Creates a pool of one connection, and a table. */
async function openTable(): Promise<{ pool: Pool; table: ReturnType<typeof raw>; words: () => Promise<unknown[]> }> {
  tables += 1
  const table = raw(`batch_test_${process.pid}_${tables}`)
  const pool = new Pool({ url: inject('postgresUrl'), schema: 'public', readOnly: false }, 1)
  onTestFinished(() => pool.end(1))
  await pool.write(() => run(sql`create table ${table} (word text)`))
  onTestFinished(() => pool.write(() => run(sql`drop table ${table}`)))
  const words = async (): Promise<unknown[]> =>
    (await pool.read(() => all(sql`select word from ${table} order by word`))).map(({ word }) => word)
  return { pool, table, words }
}

it('a compare-and-set that matches no row rolls back its whole transaction', async () => {
  const { pool, table, words } = await openTable()
  function* body(): Tx<void> {
    yield* run(sql`insert into ${table} values ('before')`)
    yield* runOrConflict(sql`update ${table} set word = 'x' where word = 'gone' returning 1 as done`, 'it moved')
    yield* run(sql`insert into ${table} values ('after')`)
  }
  await expect(pool.write(body)).rejects.toEqual(new Conflict('it moved'))
  expect(await words()).toEqual([])
})

it('a failing statement rolls back its transaction and reports its error', async () => {
  const { pool, table, words } = await openTable()
  function* body(): Tx<void> {
    yield* run(sql`insert into ${table} values ('before')`)
    yield* run(sql`insert into ${table} select (1 / ${0}::int)::text`)
    yield* run(sql`insert into ${table} values ('after')`)
  }
  await expect(pool.write(body)).rejects.toMatchObject({ code: '22012' })
  expect(await words()).toEqual([])
})

it('no statement of a batch is sent if it contains a value that cannot be sent', async () => {
  const { pool, table, words } = await openTable()
  const missing = { strings: [`insert into ${table.strings.join('')} values (`, ')'], values: [undefined as never] }
  function* body(): Tx<void> {
    yield* run(sql`insert into ${table} values ('before')`)
    yield* run(missing)
  }
  await expect(pool.write(body)).rejects.toBeInstanceOf(TypeError)
  expect(await words()).toEqual([])
})

it('a transaction whose connection is lost writes nothing, and the next one works', async () => {
  const { pool, table, words } = await openTable()
  const killer = new Pool({ url: inject('postgresUrl'), schema: 'public', readOnly: false }, 1)
  onTestFinished(() => killer.end(1))
  // All statements are prepared on the connection, because prepared statements would be sent after the loss without
  // waiting for the server.
  for (let round = 0; round < 2; round += 1)
    await pool.write(() => run(sql`insert into ${table} select ${'warm'} where false`))
  const lost = pool.use(async (session) => {
    const [rows] = await session.sendAll([sql`select pg_backend_pid() as pid`])
    await killer.read(() => first(sql`select pg_terminate_backend(${Number(rows?.[0]?.pid)})`))
    const insert = sql`insert into ${table} values (${'stray'})`
    await session.sendAll(['begin read write', insert, insert, 'commit'])
  })
  await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE/) })
  expect(await words()).toEqual([])
  await pool.write(() => run(sql`insert into ${table} values ('next')`))
  expect(await words()).toEqual(['next'])
})

it('a connection refuses to write outside of a transaction', async () => {
  const { pool, table, words } = await openTable()
  const stray = pool.use((session) => session.sendAll([sql`insert into ${table} values ('stray')`]))
  await expect(stray).rejects.toMatchObject({ code: '25006' })
  expect(await words()).toEqual([])
})
