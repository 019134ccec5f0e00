import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withStoreLock } from '../../../src/storage/sqlite/store-lock.ts'
import { testFolder } from '../../helpers/stores.ts'

/** `act` runs once, after the lock file is opened and before it is locked. */
const beforeLocking = vi.hoisted(() => ({ act: null as (() => void) | null }))

vi.mock(import('@photostructure/sqlite'), async (original) => {
  const driver = await original()
  class Database extends driver.DatabaseSync {
    override exec(text: string): void {
      const { act } = beforeLocking
      beforeLocking.act = null
      act?.()
      super.exec(text)
    }
  }
  return { ...driver, DatabaseSync: Database as unknown as typeof driver.DatabaseSync }
})

test('a process tries again if the previous holder removes the lock file before it is locked', async () => {
  const path = join(testFolder(), 'muster.db')
  beforeLocking.act = () => rmSync(`${path}.lock`)
  expect(await withStoreLock(path, () => 'mine')).toBe('mine')
  expect(beforeLocking.act).toBeNull()
})
