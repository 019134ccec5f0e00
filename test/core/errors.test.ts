import { describe, expect, test } from 'vitest'
import { BoardError, ERROR_CODES, asBoardError, errorFacts, isDiskFull } from '../../src/core/errors.ts'

describe('a BoardError', () => {
  test('a BoardError has a code, a message, details and a cause', () => {
    const cause = new Error('disk')
    const error = new BoardError('store_io', 'The disk is full.', { details: { free: 0 }, cause })
    expect(error).toMatchObject({ name: 'BoardError', code: 'store_io', message: 'The disk is full.', cause })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'store_io',
      message: 'The disk is full.',
      details: { free: 0 },
    })
  })

  test('a BoardError shows whether a retry can help', () => {
    expect(new BoardError('capped', 'Full.').retryable).toBe(true)
    expect(new BoardError('cycle', 'Round.').retryable).toBe(false)
  })

  test('exit codes match the HTTP status and the retry flag', () => {
    for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
      const { exit, http, retry } = errorFacts(code)
      expect(exit === 75).toBe(retry)
      expect(exit === 3).toBe(http === 404)
      expect(exit === 2).toBe(http === 400)
    }
  })
})

describe('an error that is not a BoardError', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

  test('a full disk is recognised from an error or its cause', () => {
    expect([full, new Error('git failed', { cause: full })].map(isDiskFull)).toEqual([true, true])
    expect([new BoardError('output_failed', 'Lost.', { cause: full }), null, 'text'].map(isDiskFull)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('an error becomes disk_full for a full disk, and internal otherwise', () => {
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
