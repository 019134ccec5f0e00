import { describe, expect, test } from 'vitest'
import { BoardError, ERROR_CODES, asBoardError, errorFacts, isDiskFull } from '../../src/core/errors.ts'

describe('an error of the board', () => {
  test('carries its code, its sentence, its details and its cause', () => {
    const cause = new Error('disk')
    const error = new BoardError('store_io', 'The disk is full.', { details: { free: 0 }, cause })
    expect(error).toMatchObject({ name: 'BoardError', code: 'store_io', message: 'The disk is full.', cause })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'store_io',
      message: 'The disk is full.',
      details: { free: 0 },
    })
  })

  test('knows whether a retry can help', () => {
    expect(new BoardError('capped', 'Full.').retryable).toBe(true)
    expect(new BoardError('cycle', 'Round.').retryable).toBe(false)
  })

  test('that means "try later" always exits 75, one that means "not found" always 3', () => {
    for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
      const { exit, http, retry } = errorFacts(code)
      expect(exit === 75).toBe(retry)
      expect(exit === 3).toBe(http === 404)
      expect(exit === 2).toBe(http === 400)
    }
  })
})

describe('an error that is not of the board', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

  test('is a full disk if it was caused by one', () => {
    expect([full, new Error('git failed', { cause: full })].map(isDiskFull)).toEqual([true, true])
    expect([new BoardError('output_failed', 'Lost.', { cause: full }), null, 'text'].map(isDiskFull)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('is reported as a full disk, else as a fault of Muster', () => {
    expect(asBoardError(Object.assign(full, { path: '/data/file' }))).toMatchObject({
      code: 'disk_full',
      message: 'The disk that holds /data/file is full: free some space.',
    })
    expect(asBoardError(new Error('x is undefined'))).toMatchObject({
      code: 'internal',
      message: 'Something went wrong in Muster itself: x is undefined',
    })
  })
})
