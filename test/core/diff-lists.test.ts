import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLists } from '../../src/core/diff-lists.ts'

const signsOf = (before: string, after: string): string =>
  diffLists(before.split(''), after.split(''))
    .map(({ sign, item }) => `${sign}${item}`)
    .join('')

test('the longest common part of two lists stays unchanged', () => {
  expect(signsOf('abcd', 'axcd')).toBe(' a-b+x c d')
  expect(signsOf('', 'ab')).toBe('+a+b')
  expect(signsOf('ab', 'ab')).toBe(' a b')
})

test('applying the differences turns the first list into the second list', () => {
  const list = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 })
  fc.assert(
    fc.property(list, list, (before, after) => {
      const steps = diffLists(before, after)
      expect(steps.filter(({ sign }) => sign !== '+').map(({ item }) => item)).toEqual(before)
      expect(steps.filter(({ sign }) => sign !== '-').map(({ item }) => item)).toEqual(after)
    }),
  )
})

test('very long lists are replaced as a whole between their equal ends', () => {
  const long = Array.from({ length: 2_000 }, (_, at) => at)
  const steps = diffLists([...long, -1], [-2, ...long.map((item) => item + 5_000), -1])
  expect(steps.filter(({ sign }) => sign === ' ')).toEqual([{ sign: ' ', item: -1 }])
})
