import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS, boardSettingsSchema, nameFromSlug } from '../../src/core/board.ts'

describe('a board', () => {
  test('a board is named after its slug by default', () => {
    expect(nameFromSlug('my-first_board')).toBe('My First Board')
    expect(nameFromSlug('a--b-')).toBe('A B')
  })

  test('every board setting has a default', () => {
    expect(boardSettingsSchema.parse({})).toEqual(DEFAULT_SETTINGS)
    expect(DEFAULT_SETTINGS).toMatchObject({ failureLimit: 2, protocolLimit: 3, attemptsLimit: 20, blockLoopLimit: 4 })
  })

  test('a board refuses limits below the minimum', () => {
    expect(boardSettingsSchema.safeParse({ failureLimit: 0 }).success).toBe(false)
    expect(boardSettingsSchema.safeParse({ leaseMs: -1 }).success).toBe(false)
  })
})
