/** Tests races for rows that do not exist yet, which no lock can protect, and the lifetime of connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it, onTestFinished } from 'vitest'
import { connectClient } from '../../../src/storage/postgres/client.ts'
import { Notifier } from '../../../src/storage/postgres/notifier.ts'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { sql } from '../../../src/storage/sql.ts'
import type { Store } from '../../../src/storage/store.ts'
import { all, run } from '../../../src/storage/tx.ts'
import { clockwork, identity, person } from '../../helpers/sample.ts'
import { openTestStore } from '../../helpers/stores.ts'

const ROUNDS = 20

async function twoStores(): Promise<readonly [Store, Store]> {
  const test = await openTestStore('postgres')
  const made = await test.store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } })
  expect(made.ok).toBe(true)
  return [test.store, await test.again({ mode: 'write' })]
}

it('if two dispatchers of a machine start at once, only one becomes active', async () => {
  const stores = await twoStores()
  for (let round = 0; round < ROUNDS; round++) {
    const machine = `machine-${round}`
    const lead = (store: Store, at: number) =>
      store.decide({
        verb: 'lead_dispatch',
        board: 'main',
        actor: clockwork,
        input: { machine, tokenHash: `dispatcher-${at}`, identity: identity(1, machine), leaseMs: 60_000 },
      })
    const answers = await Promise.all(stores.map(lead))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
  }
})

it('a pause for a refused login is not replaced by a concurrent pause for a quota', async () => {
  const stores = await twoStores()
  for (let round = 0; round < ROUNDS; round++) {
    const account = `account-${round}`
    const pause = (store: Store, cause: 'auth' | 'quota') =>
      store.decide({ verb: 'pause_account', board: 'main', actor: clockwork, input: { account, cause } })
    await Promise.all([pause(stores[0], 'auth'), pause(stores[1], 'quota')])
    expect(await stores[0].account(account)).toMatchObject({ pauseCause: 'auth', pausedUntil: null })
  }
})

it('two concurrent creations of a board create one board', async () => {
  const stores = await twoStores()
  for (let round = 0; round < ROUNDS; round++) {
    const board = `board-${round}`
    const make = (store: Store) => store.decide({ verb: 'create_board', board, actor: person, input: { slug: board } })
    const answers = await Promise.all(stores.map(make))
    expect(answers.every((answer) => answer.ok)).toBe(true)
    expect(answers.filter((answer) => answer.ok && answer.result.created)).toHaveLength(1)
  }
})

it('a connection past its maximum lifetime finishes its transaction', async () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('max_lifetime', '1')
  url.searchParams.set('idle_timeout', '1')
  const pool = new Pool({ url: url.toString(), schema: 'public', readOnly: false }, 1)
  onTestFinished(() => pool.end(1))
  await pool.write(() => run(sql`create table lifetime_test (word text)`))
  onTestFinished(() => pool.write(() => run(sql`drop table lifetime_test`)))
  await pool.write(function* () {
    yield* run(sql`insert into lifetime_test values ('first')`)
    yield* all(sql`select pg_sleep(1.5)`)
    yield* run(sql`insert into lifetime_test values ('second')`)
  })
  expect(await pool.read(() => all(sql`select word from lifetime_test order by word`))).toMatchObject([
    { word: 'first' },
    { word: 'second' },
  ])
})

it('work that waits for a connection fails when the pool is closed', async () => {
  const pool = new Pool({ url: inject('postgresUrl'), schema: 'public', readOnly: true }, 1)
  const running = pool.use((session) => session.sendAll([sql`select pg_sleep(30)`])).catch((error: unknown) => error)
  let isLent = false
  const waiting = pool.use(async () => (isLent = true)).catch((error: unknown) => error)
  await sleep(100)
  await pool.end(0)
  expect(await waiting).toMatchObject({ code: 'CONNECTION_ENDED' })
  expect(await running).toBeInstanceOf(Error)
  expect(isLent).toBe(false)
})

it('a watcher polls again only after the last poll was answered', async () => {
  const server = { url: inject('postgresUrl'), schema: 'public', readOnly: true }
  const pool = new Pool(server, 1)
  const notifier = new Notifier(pool, (events) => connectClient({ ...server, ...events, connections: 1 }), 'polls')
  let asked = 0
  const watcher = await notifier.listen(
    () => undefined,
    () => ((asked += 1) === 1 ? Promise.resolve(0) : new Promise(() => undefined)),
  )
  await sleep(2500)
  expect(asked).toBe(2)
  await watcher.stop()
  await notifier.close()
  await pool.end(0)
})
