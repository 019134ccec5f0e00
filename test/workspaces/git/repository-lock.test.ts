// Tests the lock of a repository whose process dies, sleeps or cannot be seen.
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownProcess } from '../../../src/workspaces/git/process-identity.ts'
import { RepositoryBusy, withRepository } from '../../../src/workspaces/git/repository-lock.ts'
import { testFolder } from '../../helpers/repository.ts'

const LONG_AGO = new Date(Date.now() - 3_600_000)

/** Makes a lock of another process, which is alive by default. */
async function setUp(change: Record<string, unknown> = {}) {
  const folder = testFolder()
  const lock = join(folder, 'muster-worktree.lock')
  writeFileSync(lock, `${JSON.stringify({ ...(await ownProcess()), token: 'theirs', ...change })}\n`)
  const take = () => withRepository(folder, AbortSignal.timeout(100), async () => 'taken')
  return { folder, lock, take, age: () => utimesSync(lock, LONG_AGO, LONG_AGO) }
}

test('the lock of a living process is never taken, however old it is', async () => {
  const { lock, take, age } = await setUp()
  age()
  await expect(take()).rejects.toBeInstanceOf(RepositoryBusy)
  expect(readFileSync(lock, 'utf8')).toContain('theirs')
})

test.each([
  ['ended', { pid: 2 ** 22 + 1 }],
  ['ended, and its pid belongs to a later process', { startTime: '1' }],
  ['ended with a restart of this machine', { bootId: 'earlier' }],
])('the lock of a process that has %s is taken over at once', async (_, change) => {
  const { lock, take } = await setUp(change)
  expect(await take()).toBe('taken')
  expect(existsSync(lock)).toBe(false)
})

test.each([
  ['this machine in another container', { pidNamespace: 'pid:[1]' }],
  ['another machine', { bootId: 'other', hostname: 'elsewhere' }],
])('the lock of a process on %s is taken over only when it is old', async (_, change) => {
  const { take, age } = await setUp(change)
  await expect(take()).rejects.toBeInstanceOf(RepositoryBusy)
  age()
  expect(await take()).toBe('taken')
})

test('a process that has lost its lock does not remove the lock of the new owner', async () => {
  const folder = testFolder()
  const lock = join(folder, 'muster-worktree.lock')
  const held = await withRepository(folder, AbortSignal.timeout(100), async ({ isHeld }) => {
    const before = await isHeld()
    writeFileSync(lock, 'theirs\n')
    return [before, await isHeld()]
  })
  expect(held).toEqual([true, false])
  expect(readFileSync(lock, 'utf8')).toBe('theirs\n')
})
