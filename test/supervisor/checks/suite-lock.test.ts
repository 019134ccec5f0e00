import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withSuite } from '../../../src/supervisor/checks/suite-lock.ts'
import { thisHost } from '../../../src/processes/identity.ts'

const host = thisHost()

function place(signal = new AbortController().signal) {
  const home = mkdtempSync(join(tmpdir(), 'muster-suite-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return { home, workspace: home, host, signal }
}

test('of many suites in one workspace one runs at a time, and each has its turn', async () => {
  const where = place()
  let running = 0
  let most = 0
  const suite = async (): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
  }
  await Promise.all(Array.from({ length: 8 }, () => withSuite(where, suite)))
  expect(most).toBe(1)
  expect(readdirSync(join(where.home, 'locks'))).toEqual([])
})

test('a workspace is the same by whatever way it is reached; another one waits for nobody', async () => {
  const where = place()
  const other = place()
  const path = join(other.home, 'link')
  symlinkSync(where.home, path)
  const late = new AbortController()
  await withSuite(where, async () => {
    expect(await withSuite({ ...where, workspace: other.home }, async () => 'at once')).toBe('at once')
    const blocked = withSuite({ ...where, workspace: path, signal: late.signal }, async () => 'too soon')
    late.abort(new Error('waited long enough'))
    await expect(blocked).rejects.toThrow('waited long enough')
  })
})

test('who fails leaves the way free, and so does who is gone', async () => {
  const where = place()
  await expect(withSuite(where, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const locks = join(where.home, 'locks')
  await withSuite(where, async () => {
    const [sign = ''] = readdirSync(locks)
    // The same process, but for the moment in which it was started: one that has ended, and whose number is ours now.
    const gone = sign.split('.').with(3, Buffer.from('long ago').toString('hex')).with(4, 'x').join('.')
    const elsewhere = sign.split('.').with(1, '0'.repeat(16)).with(4, 'y').join('.')
    for (const name of [gone, elsewhere]) writeFileSync(join(locks, name), '')
    renameSync(join(locks, sign), join(where.home, 'taken-down'))
    expect(await withSuite(where, async () => 'free')).toBe('free')
    expect(readdirSync(locks)).toEqual([])
  })
})
