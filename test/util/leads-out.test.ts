import { expect, test } from 'vitest'
import { leadsOut } from '../../src/util/leads-out.ts'

test.each([
  ['/a/b', '/a/b', false],
  ['/a/b', '/a/b/c', false],
  ['/a/b', '/a/b/..c', false],
  ['/a/b', '/a/b/../c', true],
  ['/a/b', '/a', true],
  ['/a/b', '/a/bc', true],
  ['/', '/a', false],
])('from %s, whether %s leads out: %s', (folder, path, expected) => {
  expect(leadsOut(folder, path)).toBe(expected)
})
