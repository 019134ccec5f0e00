import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { patiently } from '../../src/supervisor/patiently.ts'

test.each(['store_busy', 'disk_full'] as const)('what may pass is tried again: %s', async (code) => {
  let tries = 0
  const work = async (): Promise<string> => {
    tries += 1
    if (tries < 2) throw new BoardError(code, 'not now')
    return 'done'
  }
  expect(await patiently(work)).toBe('done')
})

test('what will not pass is thrown at once, and so is the last error when the time is up', async () => {
  const failing = (code: 'store_corrupt' | 'store_busy') => () => Promise.reject(new BoardError(code, 'no'))
  await expect(patiently(failing('store_corrupt'))).rejects.toMatchObject({ code: 'store_corrupt' })
  await expect(patiently(failing('store_busy'), { forMs: 50 })).rejects.toMatchObject({ code: 'store_busy' })
})
