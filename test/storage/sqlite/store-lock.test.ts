import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withStoreLock } from '../../../src/storage/sqlite/store-lock.ts'
import { testFolder } from '../../helpers/stores.ts'

test('a process tries again if the previous holder removes the lock file before it is locked', async () => {
  const path = join(testFolder(), 'muster.db')
  let tries = 0
  const beforeLocking = (): void => {
    tries += 1
    if (tries === 1) rmSync(`${path}.lock`)
  }
  expect(await withStoreLock(path, () => 'mine', { beforeLocking })).toBe('mine')
  expect(tries).toBe(2)
})
