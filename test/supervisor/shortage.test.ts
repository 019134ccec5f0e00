import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { isShortage } from '../../src/supervisor/shortage.ts'

const system = (code: string): Error => Object.assign(new Error(code), { code })

test('what a machine runs out of is told from what is wrong, also behind an error of ours', () => {
  expect(isShortage(system('EAGAIN'))).toBe(true)
  expect(isShortage(new BoardError('store_io', 'no folder', { cause: system('ENOSPC') }))).toBe(true)
  expect(isShortage(system('ENOENT'))).toBe(false)
  expect(isShortage(new BoardError('store_io', 'no folder', { cause: system('EACCES') }))).toBe(false)
  expect(isShortage(null)).toBe(false)
})
