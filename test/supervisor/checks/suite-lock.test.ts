import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withSuiteLock } from '../../../src/supervisor/checks/suite-lock.ts'
import { thisHost } from '../../../src/processes/identity.ts'

const host = thisHost()

function place(signal = new AbortController().signal) {
  const home = mkdtempSync(join(tmpdir(), 'muster-suite-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return { home, workspace: home, host, signal }
}

test('the checks of several callers in one workspace run one after the other', async () => {
  const where = place()
  let running = 0
  let most = 0
  const suite = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
  }
  await Promise.all(Array.from({ length: 8 }, () => withSuiteLock(where, suite)))
  expect(most).toBe(1)
  expect(readdirSync(join(where.home, 'locks'))).toEqual([])
})

test('all paths to one workspace share a lock, and other workspaces have their own locks', async () => {
  const where = place()
  const other = place()
  const path = join(other.home, 'link')
  symlinkSync(where.home, path)
  const late = new AbortController()
  await withSuiteLock(where, async () => {
    expect(await withSuiteLock({ ...where, workspace: other.home }, async () => 'at once')).toBe('at once')
    const blocked = withSuiteLock({ ...where, workspace: path, signal: late.signal }, async () => 'too soon')
    late.abort(new Error('waited long enough'))
    await expect(blocked).rejects.toThrow('waited long enough')
  })
})

test('the lock is released if the checks fail or their process dies', async () => {
  const where = place()
  await expect(withSuiteLock(where, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const locks = join(where.home, 'locks')
  await withSuiteLock(where, async () => {
    const [lockFile = ''] = readdirSync(locks)
    // This is the lock of a dead process whose pid this process has now. Only the start time differs.
    const gone = lockFile.split('.').with(3, Buffer.from('long ago').toString('hex')).with(4, 'x').join('.')
    const elsewhere = lockFile.split('.').with(1, '0'.repeat(16)).with(4, 'y').join('.')
    for (const name of [gone, elsewhere]) writeFileSync(join(locks, name), '')
    renameSync(join(locks, lockFile), join(where.home, 'moved'))
    expect(await withSuiteLock(where, async () => 'free')).toBe('free')
    expect(readdirSync(locks)).toEqual([])
  })
})
