import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expandTilde, isOutside } from '../../src/util/paths.ts'

test.each([
  ['/a/b', '/a/b', false],
  ['/a/b', '/a/b/c', false],
  ['/a/b', '/a/b/..c', false],
  ['/a/b', '/a/b/../c', true],
  ['/a/b', '/a', true],
  ['/a/b', '/a/bc', true],
  ['/', '/a', false],
])('for the folder %s, the path %s is outside: %s', (folder, path, expected) => {
  expect(isOutside(folder, path)).toBe(expected)
})

test('a tilde is the home folder of the user, but `~name` is not expanded', () => {
  expect(['~', '~/src', '~ada/src', '/a/~'].map(expandTilde)).toEqual([
    homedir(),
    join(homedir(), 'src'),
    '~ada/src',
    '/a/~',
  ])
})
