import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { isShortage, retryUntilAvailable } from '../../src/supervisor/retry.ts'

test.each(['store_busy', 'disk_full'] as const)('a temporary error is retried: %s', async (code) => {
  let tries = 0
  const work = async (): Promise<string> => {
    tries += 1
    if (tries < 2) throw new BoardError(code, 'not now')
    return 'done'
  }
  expect(await retryUntilAvailable(work)).toBe('done')
})

test('a permanent error is thrown at once, and a temporary error when the time is up', async () => {
  const failing = (code: 'store_corrupt' | 'store_busy') => () => Promise.reject(new BoardError(code, 'no'))
  await expect(retryUntilAvailable(failing('store_corrupt'))).rejects.toMatchObject({ code: 'store_corrupt' })
  await expect(retryUntilAvailable(failing('store_busy'), { forMs: 50 })).rejects.toMatchObject({ code: 'store_busy' })
})

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

test('a lack of system resources is recognized, even inside a Muster error', () => {
  expect(isShortage(systemError('EAGAIN'))).toBe(true)
  expect(isShortage(new BoardError('store_io', 'no folder', { cause: systemError('ENOSPC') }))).toBe(true)
  expect(isShortage(systemError('ENOENT'))).toBe(false)
  expect(isShortage(new BoardError('store_io', 'no folder', { cause: systemError('EACCES') }))).toBe(false)
  expect(isShortage(null)).toBe(false)
})
