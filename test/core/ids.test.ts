import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ATTACHMENT_ID,
  COMMENT_ID,
  ID_BYTES,
  TASK_PREFIX,
  attachmentIdFrom,
  commentIdFrom,
  isRunId,
  isSlug,
  isTaskId,
  mentionedTaskIds,
  runIdFrom,
  taskIdFrom,
} from '../../src/core/ids.ts'

const random = fc.uint8Array({ minLength: ID_BYTES, maxLength: ID_BYTES + 4 })

describe('ids', () => {
  test('new ids have their prefix and no ambiguous letter', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(isTaskId(taskIdFrom(bytes))).toBe(true)
        expect(isRunId(runIdFrom(bytes))).toBe(true)
        expect(commentIdFrom(bytes)).toMatch(COMMENT_ID)
        expect(attachmentIdFrom(bytes)).toMatch(ATTACHMENT_ID)
        expect(taskIdFrom(bytes).slice(2)).toMatch(/^[^ilou]{10}$/)
      }),
    )
  })

  test('an id needs ten random bytes', () => {
    expect(() => taskIdFrom(new Uint8Array(ID_BYTES - 1))).toThrow('10 random bytes')
  })

  test('ids of imported cards may be shorter or longer', () => {
    expect(isTaskId('t_0a1b2c3d')).toBe(true)
    expect(isTaskId('t_0123456789abcdef')).toBe(true)
    expect(isTaskId('t_0123456')).toBe(false)
    expect(isTaskId('T_0a1b2c3d')).toBe(false)
    expect(isTaskId('t_0a1b2c3d ')).toBe(false)
    expect(isRunId('t_0a1b2c3d')).toBe(false)
  })

  test('an id may be typed as a prefix of three characters', () => {
    expect('t_0a1').toMatch(TASK_PREFIX)
    expect('t_0a').not.toMatch(TASK_PREFIX)
  })

  test('board slugs are short, lower-case and safe in a path', () => {
    expect(['main', 'a', '0-a_b', 'x'.repeat(64)].every(isSlug)).toBe(true)
    expect(['', '-a', 'Main', 'a/b', '..', 'a b', 'x'.repeat(65)].some(isSlug)).toBe(false)
  })
})

describe('ids mentioned in a text', () => {
  test('mentioned ids are found in order, once each', () => {
    const text = 'After t_0a1b2c3d4e and t_zzzzzzzzzz came t_0a1b2c3d4e again (t_0123456789).'
    expect(mentionedTaskIds(text)).toEqual(['t_0a1b2c3d4e', 't_zzzzzzzzzz', 't_0123456789'])
  })

  test('ids inside other words are not found', () => {
    expect(mentionedTaskIds('got_0a1b2c3d4e t_0a1b2c3d4e5 t_short t_iiiiiiiiii')).toEqual([])
  })
})
