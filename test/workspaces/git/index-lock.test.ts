// Tests the lock on the index of a user's checkout.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockIndex } from '../../../src/workspaces/git/index-lock.ts'
import { makeRepository } from '../../helpers/repository.ts'

const hold = { isHeld: async () => true }

function setUp() {
  const repo = makeRepository()
  const gitDir = join(repo.path, '.git')
  const place = { gitDir, common: gitDir, workTree: repo.path }
  const left = (): string[] => readdirSync(gitDir).filter((name) => /muster|lock/.test(name))
  return { repo, gitDir, place, lockFile: join(gitDir, 'index.lock'), left }
}

test("a lock of the user that replaced Muster's lock is kept", async () => {
  const { place, lockFile } = setUp()
  const lock = await lockIndex(place, { hold })
  await lock.copyIndex()
  rmSync(lockFile)
  writeFileSync(lockFile, 'DIRC of the user')
  await expect(lock.install()).rejects.toThrow('index.lock was removed')
  await lock.release()
  expect(readFileSync(lockFile, 'utf8')).toBe('DIRC of the user')
})

test("an index that the user changed without Muster's lock is not replaced", async () => {
  const { repo, place, lockFile, left } = setUp()
  const lock = await lockIndex(place, { hold })
  await lock.copyIndex()
  rmSync(lockFile)
  repo.write('readme', 'mine\n')
  repo.git('add', 'readme')
  await lock.take()
  await expect(lock.install()).rejects.toThrow('index.lock was removed')
  await lock.release()
  expect(repo.git('status', '--porcelain')).toBe('M  readme')
  expect(left()).toEqual([])
})

test('the copy that replaces the index keeps its file mode', async () => {
  const { gitDir, place, left } = setUp()
  const { mode } = statSync(join(gitDir, 'index'))
  const lock = await lockIndex(place, { hold })
  await lock.copyIndex()
  await lock.install()
  await lock.release()
  expect(statSync(join(gitDir, 'index')).mode).toBe(mode)
  expect(left()).toEqual([])
})

test('the index stays locked if the process has lost the lock of the repository', async () => {
  const { place, lockFile } = setUp()
  let isHeld = true
  const lock = await lockIndex(place, { hold: { isHeld: async () => isHeld } })
  isHeld = false
  await lock.release()
  expect(existsSync(lockFile)).toBe(true)
})

test('a failed write while locking leaves no lock behind', () => {
  const { repo, gitDir, lockFile } = setUp()
  const source = join(import.meta.dirname, '../../../src/workspaces/git/index-lock.ts')
  const script = `const { lockIndex } = await import(${JSON.stringify(source)})
    await lockIndex(${JSON.stringify({ gitDir, common: gitDir, workTree: repo.path })}, { hold: {} })`
  // With this limit, the first write to a file fails or ends the process.
  const program = 'ulimit -f 0; exec "$0" --import tsx --input-type=module --eval "$1"'
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' }
  expect(() => execFileSync('sh', ['-c', program, process.execPath, script], { env, stdio: 'pipe' })).toThrow('sh -c')
  expect(existsSync(lockFile)).toBe(false)
  repo.git('add', '--all')
})
