/**
 * Tests that a batch of statements in one packet behaves like the same statements through the driver, which sends a
 * packet for each statement.
 */
import { expect, inject, it, onTestFinished } from 'vitest'
import { connectClient } from '../../../src/storage/postgres/client.ts'
import { isRetryable } from '../../../src/storage/postgres/errors.ts'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { raw, sql } from '../../../src/storage/sql.ts'
import { startSlowProxy } from '../../helpers/slow-proxy.ts'

const postgresUrl = inject('postgresUrl')

function openPool(url = postgresUrl): Pool {
  const pool = new Pool({ url, schema: 'public', readOnly: false }, 1)
  onTestFinished(() => pool.end(1))
  return pool
}

let tables = 0

/** Creates a table through another client, which can change the table. */
async function openTable(columns: string) {
  tables += 1
  const name = `pipeline_test_${process.pid}_${tables}`
  const client = connectClient({ url: postgresUrl, schema: 'public', connections: 1, readOnly: false })
  await client.unsafe(`create table ${name} (${columns})`)
  onTestFinished(async () => {
    await client.unsafe(`drop table ${name}`)
    await client.end()
  })
  return { name, table: raw(name), client }
}

it('preparing a new statement costs no extra round trip', async () => {
  const proxy = await startSlowProxy(postgresUrl)
  const pool = openPool(proxy.url)
  await pool.use((session) => session.sendAll(['select 1']))
  await proxy.quiet()
  const before = proxy.roundTrips()
  const answers = await pool.use((session) => session.sendAll([sql`select ${2}::int as two`, sql`select ${'b'} as b`]))
  expect(proxy.roundTrips() - before).toBe(1)
  expect(answers).toEqual([[{ two: 2 }], [{ b: 'b' }]])
})

it('a batch can contain one statement twice, with different values', async () => {
  const twice = (value: number) => sql`select ${value}::bigint as n`
  expect(await openPool().use((session) => session.sendAll([twice(1), twice(2)]))).toEqual([[{ n: 1 }], [{ n: 2 }]])
})

it('values of every type are returned as they were sent', async () => {
  const sent = { a: '', b: "it's", c: 'naïve 日本 🙂', d: 'x'.repeat(100_000), e: null, f: -7 }
  const [rows] = await openPool().use((session) =>
    session.sendAll([
      sql`select ${sent.a} as a, ${sent.b} as b, ${sent.c} as c, ${sent.d} as d, ${sent.e} as e, ${sent.f}::bigint as f,
        true as g, ${'{"h":[1,null]}'}::json as h, 1.5::float8 as i`,
    ]),
  )
  expect(rows).toEqual([{ ...sent, g: true, h: { h: [1, null] }, i: 1.5 }])
})

it('an answer of many packets is read completely', async () => {
  const [rows] = await openPool().use((session) =>
    session.sendAll([sql`select n, repeat(n::text, 100000) as text from generate_series(1, 90) n`]),
  )
  expect(rows?.map(({ n, text }) => [n, String(text).length])).toEqual(
    Array.from({ length: 90 }, (_, at) => [at + 1, String(at + 1).length * 100_000]),
  )
})

it('the server skips the statements after one that fails, and the next batch works', async () => {
  const { table, client, name } = await openTable('word text')
  const pool = openPool()
  const insert = (word: string) => sql`insert into ${table} values (${word})`
  const batch = [
    'begin read write',
    insert('before'),
    sql`select 1 / ${0}::int`,
    sql`select ${'new'} as word`,
    'commit',
  ]
  await pool.use(async (session) => {
    await expect(session.sendAll(batch)).rejects.toMatchObject({ code: '22012', severity: 'ERROR' })
    await session.sendAll(['rollback'])
    const answers = await session.sendAll(['begin read write', insert('after'), sql`select ${'new'} as word`, 'commit'])
    expect(answers).toEqual([[], [], [{ word: 'new' }], []])
  })
  expect([...(await client.unsafe(`select word from ${name}`))]).toEqual([{ word: 'after' }])
})

it('a statement is prepared again after a column changes its type', async () => {
  const { table, client, name } = await openTable('word text')
  const pool = openPool()
  const read = () => pool.use((session) => session.sendAll([sql`select word from ${table}`]))
  await read()
  await client.unsafe(`alter table ${name} alter word type bigint using 1; insert into ${name} values (5)`)
  await expect(read()).rejects.toSatisfy(isRetryable)
  expect(await read()).toEqual([[{ word: 5 }]])
})

it('a script that fails reports the error of the statement that failed', async () => {
  const script = openPool().use((session) => session.runScript('select 1; select 1 / 0; select 2'))
  await expect(script).rejects.toMatchObject({ code: '22012' })
})

it('after a refused connection, the next statement tries to connect again', async () => {
  const url = new URL(postgresUrl)
  url.pathname = '/no_such_database'
  const pool = openPool(url.toString())
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(pool.use((session) => session.sendAll(['select 1']))).rejects.toMatchObject({ code: '3D000' })
})
