import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { raw, sql } from '../../../src/storage/sql.ts'
import { run } from '../../../src/storage/tx.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import type { Access, Connection } from '../../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../../src/storage/sqlite/dialect.ts'
import { Writer } from '../../../src/storage/sqlite/writer.ts'
import { SqlStore } from '../../../src/storage/sql-store.ts'
import { testFolder } from '../../helpers/stores.ts'
import { addCard, madeStore, openFile } from './files.ts'

function opened(path: string, access: Access): Connection {
  const connection = connect(path, access)
  onTestFinished(() => connection.close())
  return connection
}

const pragma = (connection: Connection, name: string): unknown =>
  Object.values(connection.query(raw(`pragma ${name}`))[0] ?? {})[0]

describe('every connection', () => {
  it.each(['rwc', 'rw', 'ro'] as const)(
    'a connection opened %s has the settings that keep data safe',
    async (access) => {
      const path = access === 'rwc' ? join(testFolder(), 'new.db') : await madeStore({ cards: 0 })
      const connection = opened(path, access)
      const names = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete', 'cell_size_check', 'fullfsync']
      expect(Object.fromEntries(names.map((name) => [name, pragma(connection, name)]))).toEqual({
        journal_mode: 'wal',
        synchronous: 2,
        foreign_keys: 1,
        secure_delete: 1,
        cell_size_check: 1,
        fullfsync: 1,
      })
      expect(pragma(connection, 'journal_size_limit')).toBe(64 * 1024 * 1024)
      expect(pragma(connection, 'busy_timeout')).toBe(0)
      expect(pragma(connection, 'wal_autocheckpoint')).toBe(1000)
    },
  )

  it('a connection uses a SQLite version without the WAL-reset bug', async () => {
    const connection = opened(await madeStore({ cards: 0 }), 'ro')
    const [major = 0, minor = 0, patch = 0] = connection.sqliteVersion.split('.').map(Number)
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003)
  })

  it('a statement with a wrong number of values is an error', async () => {
    const connection = opened(await madeStore({ cards: 0 }), 'ro')
    const strings = ['select ', ' as a, ', ' as b']
    expect(connection.query({ strings, values: [1, 2] })).toEqual([{ a: 1, b: 2 }])
    expect(() => connection.query({ strings, values: [1] })).toThrow(/1 values for 2 places/)
    expect(() => connection.query({ strings, values: [1, 2, 3] })).toThrow(/3 values for 2 places/)
  })

  it('using a closed connection is an error', async () => {
    const connection = connect(await madeStore({ cards: 0 }), 'ro')
    await connection.close()
    await connection.close()
    expect(() => connection.query(sql`select 1`)).toThrow(/used after it was closed/)
  })
})

describe('a failing transaction', () => {
  it('a failing rollback does not hide the first error', async () => {
    const real = opened(await madeStore({ cards: 0 }), 'rw')
    const brittle: Connection = {
      ...real,
      path: real.path,
      sqliteVersion: real.sqliteVersion,
      get inTransaction() {
        return real.inTransaction
      },
      exec(text) {
        real.exec(text)
        if (text === 'rollback') throw new Error('cannot rollback - no transaction is active')
      },
      query: (statement) => real.query(statement),
      copyInto: (path) => real.copyInto(path),
      close: () => real.close(),
    }
    const failing = new Writer(brittle).transact(function* () {
      yield* run(sql`insert into meta (key, value) values ('half', 'written')`)
      throw new Error('the disk caught fire')
    })
    await expect(failing).rejects.toThrow('the disk caught fire')
    expect(real.inTransaction).toBe(false)
    expect(real.query(sql`select * from meta where key = 'half'`)).toEqual([])
  })

  it('a failed commit leaves the connection usable', async () => {
    const connection = opened(await madeStore({ cards: 0 }), 'rw')
    const writer = new Writer(connection)
    const orphan = writer.transact(function* () {
      yield* run(sql`pragma defer_foreign_keys = on`)
      yield* run(sql`insert into link (board, parent_id, child_id, created_at) values ('b', 'x', 'y', 0)`)
    })
    await expect(orphan).rejects.toThrow(/FOREIGN KEY/)
    expect(connection.inTransaction).toBe(false)
    await writer.transact(() => run(sql`insert into meta (key, value) values ('next', 'fine')`))
    expect(connection.query(sql`select value from meta where key = 'next'`)).toEqual([{ value: 'fine' }])
  })

  it('a failing transaction does not stop the next transactions in the queue', async () => {
    const writer = new Writer(opened(await madeStore({ cards: 0 }), 'rw'))
    const order: number[] = []
    const results = await Promise.allSettled(
      [1, 2, 3, 4].map((at) =>
        writer.transact(function* () {
          order.push(at)
          yield* run(sql`insert into meta (key, value) values (${`k${at}`}, 'v')`)
          if (at === 2) throw new Error('no')
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  })
})

describe('a full disk', () => {
  it('a full disk rolls the write back and leaves the store usable', async () => {
    const path = await madeStore()
    const connection = connect(path, 'rw')
    const store = new SqlStore(new SqliteDialect(connection, { clock: Date.now, writable: true }))
    onTestFinished(() => store.close())
    connection.exec(`pragma max_page_count = ${Number(pragma(connection, 'page_count')) + 20}`)
    const before = await store.exportAll()
    await expect(addCard(store, 'big', 'z'.repeat(300_000))).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/is full: free some space/),
      cause: expect.objectContaining({ message: expect.stringMatching(/full/) }),
    })
    expect(await store.exportAll()).toEqual(before)
    expect(await store.doctor()).toEqual([])
    await addCard(store, 'small')
    expect(await store.tasks('main')).toHaveLength(41)
  })
})

describe('contention', () => {
  it('a writer waits for another writing connection, but a reader does not', async () => {
    const path = await madeStore({ cards: 1 })
    const other = opened(path, 'rw')
    const store = await openFile(path, 'write')
    onTestFinished(() => store.close())
    other.exec('begin immediate')
    const waiting = addCard(store, 'second')
    expect(await store.tasks('main')).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    other.exec('commit')
    await waiting
    expect(await store.tasks('main')).toHaveLength(2)
  })

  it('the lock of another connection is not reported as damage', async () => {
    const path = await madeStore({ cards: 1 })
    const other = opened(path, 'rw')
    other.exec('begin exclusive')
    const store = await openFile(path, 'read')
    onTestFinished(() => store.close())
    expect(await store.tasks('main')).toHaveLength(1)
    other.exec('rollback')
  })
})
