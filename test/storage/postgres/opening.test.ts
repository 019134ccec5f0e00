/**
 * Tests that servers that cannot be reached or refuse access give a typed error with a remedy, and never show the
 * password.
 */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { BoardError } from '../../../src/core/errors.ts'
import { CODE_VERSION } from '../../../src/storage/migrate.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { OpenOptions } from '../../../src/storage/open.ts'
import { connectClient } from '../../../src/storage/postgres/client.ts'
import { openTestStore, testSchema } from '../../helpers/stores.ts'
import type { TestStore } from '../../helpers/stores.ts'

const url = (change: (parts: URL) => void): string => {
  const parts = new URL(inject('postgresUrl'))
  change(parts)
  return parts.toString()
}

async function fault(
  address: string,
  mode: OpenOptions['mode'] = 'create',
  schema = testSchema(),
): Promise<BoardError> {
  const opened = await openStore({ engine: 'postgres', url: address, schema }, { mode }).catch(
    (error: BoardError) => error,
  )
  if (!('close' in opened)) return opened
  await opened.close()
  throw new Error('it was opened')
}

const schemaOf = ({ location }: TestStore): string => (location.engine === 'postgres' ? location.schema : '')

describe('a server that cannot be used', () => {
  it('a stopped server gives a retryable store_unreachable error', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    server.close()
    await once(server, 'close')
    const error = await fault(url((parts) => (parts.port = String(port))))
    expect(error).toMatchObject({
      code: 'store_unreachable',
      retryable: true,
      message: expect.stringMatching(/does not answer: check that it is running and that the address is right/),
    })
  })

  it('a server that closes every connection gives store_unreachable after one attempt', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.resume().end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await fault(url((parts) => (parts.port = String(port))))).toMatchObject({ code: 'store_unreachable' })
    expect(connections).toBe(1)
  })

  it.skipIf(process.env['MUSTER_TEST_PG'])(
    // This test changes the access rules of the server, so it does not run on a server that the developer provides.
    'a refused password gives store_auth_failed without the password',
    async () => {
      const admin = connectClient({ url: inject('postgresUrl'), schema: 'public', connections: 1, readOnly: false })
      const role = `guarded_${testSchema()}`
      const hba = `select current_setting('hba_file') as file, pg_read_file(current_setting('hba_file')) as rules`
      const [was] = await admin.unsafe<{ file: string; rules: string }[]>(hba)
      const write = async (rules: string): Promise<void> => {
        const lines = rules.trimEnd().replaceAll("'", "''")
        await admin.unsafe(`copy (select string_to_table('${lines}', E'\\n')) to '${was?.file}'`)
        await admin`select pg_reload_conf()`
      }
      onTestFinished(async () => {
        await write(was?.rules ?? '')
        await admin.unsafe(`drop role ${role}`)
        await admin.end()
      })
      await admin.unsafe(`create role ${role} login password 'open-sesame' superuser`)
      await write(`host all ${role} all scram-sha-256\n${was?.rules}`)
      const as = (password: string) =>
        url((parts) => {
          parts.username = role
          parts.password = password
        })
      // The loop repeats, because the server may need a moment to read the new rules.
      let error = await fault(as('hush-hush'), 'write')
      for (const since = Date.now(); error.code === 'store_missing' && Date.now() - since < 5000;)
        error = await fault(as('hush-hush'), 'write')
      expect(error).toMatchObject({
        code: 'store_auth_failed',
        message: expect.stringMatching(/check user, password and database in MUSTER_STORE/),
      })
      expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('hush-hush')
      expect(await fault(as(''), 'write')).toMatchObject({ code: 'store_auth_failed' })
      expect(await fault(as('open-sesame'), 'write')).toMatchObject({ code: 'store_missing' })
    },
  )

  it('a missing database gives store_auth_failed with a remedy', async () => {
    const error = await fault(url((parts) => (parts.pathname = '/nowhere_at_all')))
    expect(error).toMatchObject({
      code: 'store_auth_failed',
      message: expect.stringMatching(/database in MUSTER_STORE/),
    })
  })
})

describe('the schema of a store', () => {
  it('a missing schema gives store_missing and is not created', async () => {
    const schema = testSchema()
    for (const mode of ['read', 'write'] as const)
      expect(await fault(inject('postgresUrl'), mode, schema)).toMatchObject({
        code: 'store_missing',
        message: expect.stringContaining('muster init'),
      })
    const { raw } = await openTestStore('postgres')
    expect(await raw(`select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([])
  })

  it('stores that are opened at the same time create the schema once', async () => {
    const { raw } = await openTestStore('postgres')
    const location = { engine: 'postgres', url: inject('postgresUrl'), schema: testSchema() } as const
    onTestFinished(async () => void (await raw(`drop schema ${location.schema} cascade`)))
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(location, { mode: 'create' })))
    const epochs = await Promise.all(stores.map(async (store) => (await store.feed(null)).cursor))
    expect(new Set(epochs).size).toBe(1)
    for (const store of stores) await store.close()
    const steps = await raw(`select version from ${location.schema}.migration order by version`)
    expect(steps.map(({ version }) => version)).toEqual(Array.from({ length: CODE_VERSION }, (_, at) => at + 1))
  })

  it('a schema that needs newer code is refused in every mode', async () => {
    const test = await openTestStore('postgres')
    await test.raw(`update meta set value = '${CODE_VERSION + 1}' where key = 'min_code'`)
    for (const mode of ['read', 'write', 'create'] as const)
      await expect(test.again({ mode })).rejects.toMatchObject({
        code: 'store_too_new',
        message: expect.stringContaining('upgrade Muster here'),
      })
  })

  it('a newer compatible schema is opened, and an older schema is not read', async () => {
    const test = await openTestStore('postgres')
    await test.raw(`insert into migration (version, name, applied_at) values (${CODE_VERSION + 1}, 'later', 0)`)
    expect(await (await test.again({ mode: 'write' })).boards()).toEqual([])
    await test.raw('delete from migration')
    await expect(test.again({ mode: 'read' })).rejects.toMatchObject({ code: 'store_too_old' })
  })

  it('a write without permission gives store_read_only', async () => {
    const test = await openTestStore('postgres')
    const schema = schemaOf(test)
    const role = `reader_${schema}`
    await test.raw(`create role ${role} login; grant usage on schema ${schema} to ${role};
      grant select on all tables in schema ${schema} to ${role}`)
    onTestFinished(async () => void (await test.raw(`drop owned by ${role}; drop role ${role}`)))
    const address = url((parts) => (parts.username = role))
    const store = await openStore({ engine: 'postgres', url: address, schema }, { mode: 'write' })
    onTestFinished(() => store.close())
    expect(await store.boards()).toEqual([])
    await expect(
      store.decide({
        verb: 'create_board',
        board: 'main',
        actor: { kind: 'person', name: 'ada' },
        input: { slug: 'main' },
      }),
    ).rejects.toMatchObject({
      code: 'store_read_only',
      message: expect.stringMatching(/give this user write permission/),
    })
  })

  it('a store that fails to open leaves no connection open', async () => {
    const { raw, again } = await openTestStore('postgres')
    const count = async () =>
      Number((await raw(`select count(*) as n from pg_stat_activity where backend_type = 'client backend'`))[0]?.n)
    await raw(`update meta set value = '${CODE_VERSION + 1}' where key = 'min_code'`)
    await again({ mode: 'write' }).catch(() => undefined)
    const before = await count()
    for (let at = 0; at < 10; at += 1) await expect(again({ mode: 'write' })).rejects.toThrow('newer Muster')
    await expect.poll(count).toBeLessThanOrEqual(before + 1)
  })
})
