import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expandTilde, isOutside } from '../../src/util/paths.ts'

test.each([
  ['/a/b', '/a/b', 'inside'],
  ['/a/b', '/a/b/c', 'inside'],
  ['/a/b', '/a/b/..c', 'inside'],
  ['/a/b', '/a/b/../c', 'outside'],
  ['/a/b', '/a', 'outside'],
  ['/a/b', '/a/bc', 'outside'],
  ['/', '/a', 'inside'],
])('for the folder %s, the path %s is %s', (folder, path, place) => {
  expect(isOutside(folder, path)).toBe(place === 'outside')
})

test('a tilde is the home folder of the user, but `~name` is not expanded', () => {
  expect(['~', '~/src', '~ada/src', '/a/~'].map(expandTilde)).toEqual([
    homedir(),
    join(homedir(), 'src'),
    '~ada/src',
    '/a/~',
  ])
})
