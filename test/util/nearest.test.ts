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
])('the typed word %s suggests %s', (typed, meant) => {
  expect(nearest(typed, known)).toBe(meant)
})

test.each(['', 'x', 'banana', 'com'])('the typed word %j suggests nothing', (typed) => {
  expect(nearest(typed, known)).toBeNull()
})

test('several suggestions are sorted by likelihood', () => {
  expect(nearestOf('reviews', ['releases', 'review', 'reviewer', 'sql'])).toEqual(['review', 'reviewer'])
})
