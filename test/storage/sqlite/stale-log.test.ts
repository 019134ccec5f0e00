/** Tests that a WAL that an earlier store left beside a path is never applied to the next store. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { backUpStore, restoreStore } from '../../../src/storage/backup.ts'
import { withStoreLock } from '../../../src/storage/sqlite/store-lock.ts'
import { testFolder } from '../../helpers/stores.ts'
import { abandonedStore, addCard, filesIn, madeStore, openFile, poke, sha256 } from './files.ts'

const leftLogs = (path: string): string[] => filesIn(dirname(path)).filter((name) => name.includes('-wal.left-'))

/** Makes a folder with only the WAL of a killed process, as if the database was deleted or moved away. */
async function onlyTheLog(): Promise<{ path: string; log: string | null }> {
  const path = await abandonedStore()
  const log = sha256(`${path}-wal`)
  rmSync(path)
  return { path, log }
}

async function expectSound(path: string, cards: number): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    const store = await openFile(path, 'write')
    expect(await store.doctor()).toEqual([])
    expect(Object.values(await store.counts('main')).reduce((sum, count) => sum + count, 0)).toBe(cards)
    await store.close()
  }
}

async function makeBackup(): Promise<string> {
  const target = join(testFolder(), 'backup.db')
  await backUpStore({ engine: 'sqlite', path: await madeStore({ cards: 3 }) }, target)
  return target
}

test('a new store ignores the WAL of an older store, and keeps that WAL under another name', async () => {
  const { path, log } = await onlyTheLog()
  const store = await openFile(path, 'create')
  await store.decide({
    verb: 'create_board',
    board: 'main',
    actor: { kind: 'person', name: 'ada' },
    input: { slug: 'main' },
  })
  await addCard(store, 1)
  await store.close()
  await expectSound(path, 1)
  expect(leftLogs(path).map((name) => sha256(join(dirname(path), name)))).toEqual([log])
  expect(existsSync(`${path}.lock`)).toBe(false)
})

test('a restore to an empty path ignores the WAL of an older store', async () => {
  const { path, log } = await onlyTheLog()
  await restoreStore({ engine: 'sqlite', path }, await makeBackup())
  await expectSound(path, 3)
  expect(leftLogs(path).map((name) => sha256(join(dirname(path), name)))).toEqual([log])
})

test('a restore over a destroyed file ignores the WAL of that file', async () => {
  const path = await abandonedStore()
  poke(path, 0, Buffer.from('not a database at all'))
  await restoreStore({ engine: 'sqlite', path }, await makeBackup())
  await expectSound(path, 3)
  const copies = readdirSync(dirname(path)).filter((name) => /\.corrupt\.[0-9a-f]+\.bak$/.test(name))
  expect(copies).toHaveLength(1)
  expect(filesIn(dirname(path)).filter((name) => name.includes('.replaced-'))).toEqual([])
})

test('a backup is restored over a store with commits in its WAL', async () => {
  const path = await abandonedStore()
  await restoreStore({ engine: 'sqlite', path }, await makeBackup())
  await expectSound(path, 3)
})

test('the store itself cannot be restored as a backup', async () => {
  const path = await madeStore()
  await expect(restoreStore({ engine: 'sqlite', path }, path)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('several creations at the same time give one store and keep the old WAL', async () => {
  const { path } = await onlyTheLog()
  const stores = await Promise.all([openFile(path, 'create'), openFile(path, 'create'), openFile(path, 'create')])
  for (const store of stores) await store.close()
  const store = await openFile(path, 'write')
  expect(await store.doctor()).toEqual([])
  await store.close()
  expect(leftLogs(path)).toHaveLength(1)
})

test('the lock file of a killed process does not block other processes', async () => {
  const path = join(testFolder(), 'muster.db')
  execFileSync('touch', [`${path}.lock`])
  expect(await withStoreLock(path, () => 'mine')).toBe('mine')
})
