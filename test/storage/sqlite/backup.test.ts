import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import type { Fence } from '../../../src/core/run.ts'
import { backUpStore, inspectBackup, restoreStore } from '../../../src/storage/backup.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { openStore } from '../../../src/storage/open.ts'
import type { Store } from '../../../src/storage/store.ts'
import { hashToken, newRunId, newTaskId, newTokenId } from '../../../src/util/mint.ts'

const actor = { kind: 'person', name: 'ada' } as const
const identity = { machine: 'm', bootId: 'b', pidNamespace: null, pid: 1, startTime: '1' }

let folder: string
let location: { engine: 'sqlite'; path: string }
let open: Store[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-backup-'))
  location = { engine: 'sqlite', path: join(folder, 'muster.db') }
  open = []
})

afterEach(async () => {
  for (const store of open) await store.close()
  rmSync(folder, { recursive: true })
})

async function openIt(mode: 'create' | 'write' | 'read' = 'write'): Promise<Store> {
  const store = await openStore(location, { mode })
  open.push(store)
  return store
}

async function createCard(store: Store, title: string, assignee: string | null = null): Promise<TaskId> {
  const id = newTaskId()
  unwrap(await store.decide({ verb: 'create_board', board: 'default', actor, input: { slug: 'default' } }))
  unwrap(await store.decide({ verb: 'create', board: 'default', actor, input: { cards: [{ id, title, assignee }] } }))
  return id
}

async function startRun(store: Store, task: TaskId): Promise<Fence> {
  const lease = { machine: 'm', tokenHash: 'd' }
  const at = { board: 'default', actor }
  unwrap(await store.decide({ ...at, verb: 'lead_dispatch', input: { ...lease, identity, leaseMs: 60_000 } }))
  const fence = { runId: newRunId(), tokenHash: 'h' }
  const claim = { task, ...fence, agent: 'shell', machine: 'm', dispatcher: identity }
  unwrap(await store.decide({ ...at, verb: 'claim', input: { ...claim, dispatcherTokenHash: 'd' } }))
  return fence
}

test('a process that has the store open sees the content of a restored backup', async () => {
  const store = await openIt('create')
  const kept = await createCard(store, 'kept')
  await backUpStore(location, join(folder, 'one.backup'))
  const lost = await createCard(store, 'made after the backup')

  await restoreStore(location, join(folder, 'one.backup'))

  expect(await store.task('default', kept)).toMatchObject({ title: 'kept' })
  expect(await store.task('default', lost)).toBeNull()
  await createCard(store, 'the store can be written again')
  expect(await (await openIt()).doctor()).toEqual([])
})

test('a restore interrupts open runs without counting a failure', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'was running', 'shell')
  await startRun(store, id)
  await backUpStore(location, join(folder, 'one.backup'))

  await restoreStore(location, join(folder, 'one.backup'))

  expect(await store.task('default', id)).toMatchObject({ status: 'ready', currentRunId: null, consecutiveFailures: 0 })
  expect(await store.runs('default', id)).toMatchObject([{ outcome: 'interrupted' }])
  expect(await store.dispatcher('m')).toBeNull()
})

test('a restore deletes the stored observations of dispatchers', async () => {
  const store = await openIt('create')
  await createCard(store, 'one')
  const lead = { machine: 'm', tokenHash: 'd' }
  const at = { board: 'default', actor }
  unwrap(await store.decide({ ...at, verb: 'lead_dispatch', input: { ...lead, identity, leaseMs: 60_000 } }))
  unwrap(await store.decide({ ...at, verb: 'leave_dispatch', input: { ...lead, memory: 'seen' } }))
  await backUpStore(location, join(folder, 'one.backup'))
  await restoreStore(location, join(folder, 'one.backup'))
  expect(await store.dispatcherMemory('m')).toBeNull()
})

test('a store whose file was replaced refuses writes and renews no lease', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'one', 'shell')
  await backUpStore(location, join(folder, 'one.backup'))
  const fence = await startRun(store, id)
  expect(await store.renewLease('default', fence)).not.toBeNull()
  for (const name of readdirSync(folder).filter((one) => one.startsWith('muster.db')))
    renameSync(join(folder, name), join(folder, `aside-${name}`))
  await restoreStore(location, join(folder, 'one.backup'))
  expect(await store.renewLease('default', fence)).toBeNull()
  const archive = { verb: 'archive', board: 'default', actor, input: { task: id } } as const
  await expect(store.decide(archive)).rejects.toMatchObject({ code: 'store_io', message: /was replaced/ })
  expect(unwrap(await (await openIt()).decide(archive))).toMatchObject({ id })
})

test('a feed cursor from before a restore causes a resync', async () => {
  const store = await openIt('create')
  await createCard(store, 'one')
  const { cursor } = await store.feed(null)
  await backUpStore(location, join(folder, 'one.backup'))
  await restoreStore(location, join(folder, 'one.backup'))
  expect(await store.feed(cursor)).toMatchObject({ resync: true, events: [] })
})

test('a restore replaces a file that is not a database, and keeps a copy of the file', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'kept')
  await backUpStore(location, join(folder, 'one.backup'))
  await store.close()
  open = []
  writeFileSync(location.path, 'this was a database once')
  await expect(openIt()).rejects.toMatchObject({ code: 'store_corrupt' })

  await restoreStore(location, join(folder, 'one.backup'))

  expect(await (await openIt()).task('default', id)).toMatchObject({ title: 'kept' })
  const kept = readdirSync(folder).filter((name) => /^muster\.db\.corrupt\.[0-9a-f]{16}\.bak$/.test(name))
  expect(kept).toHaveLength(1)
})

test('a restore overwrites a store with damaged pages, and keeps a copy of the store', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'kept')
  const cards = Array.from({ length: 400 }, () => ({ id: newTaskId(), title: 'filler '.repeat(20) }))
  unwrap(await store.decide({ verb: 'create', board: 'default', actor, input: { cards } }))
  await backUpStore(location, join(folder, 'one.backup'))
  await store.close()
  open = []
  const file = openSync(location.path, 'r+')
  for (let page = 8; page < 40; page += 1) writeSync(file, Buffer.alloc(4000, 0xee), 0, 4000, page * 4096)
  closeSync(file)

  await restoreStore(location, join(folder, 'one.backup'))

  const restored = await openIt()
  expect(await restored.task('default', id)).toMatchObject({ title: 'kept' })
  expect(await restored.doctor()).toEqual([])
  const kept = readdirSync(folder).filter((name) => /^muster\.db\.corrupt\.[0-9a-f]{16}\.bak$/.test(name))
  expect(kept).toHaveLength(1)
})

test('an open run in a backup is not reported as a problem', async () => {
  const store = await openIt('create')
  await startRun(store, await createCard(store, 'was running', 'shell'))
  const target = join(folder, 'one.backup')
  await backUpStore(location, target)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  const before = readdirSync(folder)
  expect(await inspectBackup(location, target)).toEqual({ boards: 1, cards: 1, openRuns: 1, findings: [] })
  expect(readdirSync(folder)).toEqual(before)
})

test('a missing store can be restored from a backup', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'kept')
  await backUpStore(location, join(folder, 'one.backup'))
  await store.close()
  open = []
  for (const tail of ['', '-wal', '-shm']) rmSync(`${location.path}${tail}`, { force: true })
  await restoreStore(location, join(folder, 'one.backup'))
  expect(await (await openIt()).task('default', id)).toMatchObject({ title: 'kept' })
})

test('a damaged backup is refused and the store is unchanged', async () => {
  const store = await openIt('create')
  const id = await createCard(store, 'still here')
  const target = join(folder, 'one.backup')
  await backUpStore(location, target)
  truncateSync(target, 8192)
  await expect(restoreStore(location, target)).rejects.toMatchObject({ code: 'store_corrupt' })
  writeFileSync(target, 'nonsense')
  await expect(restoreStore(location, target)).rejects.toMatchObject({ code: 'store_corrupt' })
  await expect(restoreStore(location, join(folder, 'absent'))).rejects.toMatchObject({ code: 'store_missing' })
  expect(await store.task('default', id)).toMatchObject({ title: 'still here' })
})

test('a backup never overwrites a file and leaves no temporary file', async () => {
  const store = await openIt('create')
  await createCard(store, 'one')
  await backUpStore(location, join(folder, 'one.backup'))
  await expect(backUpStore(location, join(folder, 'one.backup'))).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(backUpStore(location, join(folder, 'no', 'such', 'folder'))).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect(readdirSync(folder).filter((name) => name.includes('.part.'))).toEqual([])
})

test('backups of a PostgreSQL store are refused as not supported', async () => {
  const server = { engine: 'postgres', url: 'postgres://127.0.0.1:1/x', schema: 'muster' } as const
  await expect(backUpStore(server, join(folder, 'x'))).rejects.toMatchObject({ code: 'not_supported' })
  await expect(restoreStore(server, join(folder, 'x'))).rejects.toMatchObject({ code: 'not_supported' })
  await expect(inspectBackup(server, join(folder, 'x'))).rejects.toMatchObject({ code: 'not_supported' })
})

test('a search finds the same cards after a restore changes row ids', async () => {
  const store = await openIt('create')
  const [gone, kept] = [await createCard(store, 'first needle'), await createCard(store, 'second needle')]
  const at = { board: 'default', actor }
  const side = connect(location.path, 'rw')
  side.exec(`delete from task where id = '${gone}'`)
  await side.close()
  const copy = join(folder, 'copy.db')
  await backUpStore(location, copy)
  unwrap(await store.decide({ ...at, verb: 'edit', input: { task: kept, set: { title: 'haystack' } } }))
  expect(await store.tasks('default', { text: 'needle' })).toEqual([])
  await restoreStore(location, copy)
  expect(await store.tasks('default', { text: 'needle' })).toMatchObject([{ id: kept }])
  expect(await store.tasks('default', { text: 'haystack' })).toEqual([])
  expect(await store.doctor()).toEqual([])
})

async function createToken(store: Store, name: string): Promise<string> {
  const input = { id: newTokenId(), kind: 'token' as const, name, scope: 'read' as const, hash: hashToken(name) }
  return unwrap(await store.decide({ verb: 'create_token', board: 'default', actor, input })).id
}

test('a token that was revoked after the backup stays revoked', async () => {
  const store = await openIt('create')
  await createCard(store, 'kept')
  await createToken(store, 'valid')
  const revoked = await createToken(store, 'revoked')
  await backUpStore(location, join(folder, 'one.backup'))
  unwrap(await store.decide({ verb: 'revoke_token', board: 'default', actor, input: { id: revoked, name: 'revoked' } }))

  await restoreStore(location, join(folder, 'one.backup'))

  expect((await store.tokens()).map(({ name }) => name)).toEqual(['valid'])
})

test('a restore keeps the tokens of the backup if no store is replaced', async () => {
  const store = await openIt('create')
  await createCard(store, 'kept')
  await createToken(store, 'valid')
  await backUpStore(location, join(folder, 'one.backup'))
  location = { engine: 'sqlite', path: join(folder, 'other.db') }

  await restoreStore(location, join(folder, 'one.backup'))

  expect((await (await openIt()).tokens()).map(({ name }) => name)).toEqual(['valid'])
})
