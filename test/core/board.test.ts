import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS, boardSettingsSchema, nameFromSlug } from '../../src/core/board.ts'

describe('a board', () => {
  test('is named after its slug by default', () => {
    expect(nameFromSlug('my-first_board')).toBe('My First Board')
    expect(nameFromSlug('a--b-')).toBe('A B')
  })

  test('comes with defaults for every setting', () => {
    expect(boardSettingsSchema.parse({})).toEqual(DEFAULT_SETTINGS)
    expect(DEFAULT_SETTINGS).toMatchObject({ failureLimit: 2, protocolLimit: 3, attemptsLimit: 20, blockLoopLimit: 4 })
  })

  test('refuses a limit that nothing could meet', () => {
    expect(boardSettingsSchema.safeParse({ failureLimit: 0 }).success).toBe(false)
    expect(boardSettingsSchema.safeParse({ leaseMs: -1 }).success).toBe(false)
  })
})
