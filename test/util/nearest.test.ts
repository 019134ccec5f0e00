import { expect, test } from 'vitest'
import { nearest, nearestOf } from '../../src/util/nearest.ts'

const known = ['list', 'link', 'unlink', 'create', 'complete', 'comment', 'status', 'max-runtime']

test.each([
  ['lst', 'list'],
  ['lsit', 'list'],
  ['creat', 'create'],
  ['CREATE', 'create'],
  ['stauts', 'status'],
  ['max-run', 'max-runtime'],
  ['comp', 'complete'],
])('%s was probably %s', (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant)
})

test.each(['', 'x', 'banana', 'com'])('%j might be anything', (typed) => {
  expect(nearest(typed, known)).toBeNull()
})

test('of several that may be meant, the likeliest comes first', () => {
  expect(nearestOf('reviews', ['releases', 'review', 'reviewer', 'sql'])).toEqual(['review', 'reviewer'])
})
