import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchNameFault } from '../../../src/core/input/branch-name.ts'

const gitAccepts = (name: string): boolean =>
  spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/', stdio: 'ignore' }).status === 0

/** The parts of names that git's rules treat specially, and a few ordinary parts. */
const PIECES = ['a', 'feat', '/', '/', '.', '..', '.lock', '@', '{', '@{', '-', '~', '^', ':', '?', '*', '[', '\\', ' ']
const piece = fc.constantFrom(...PIECES, '\t', '\u007f', '\u0001', 'é', '界', 'HEAD', 'refs/heads/', '"', "'", '%', '#')

describe('branch names', () => {
  test('a name is valid exactly when git check-ref-format accepts it', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const name = pieces.join('')
        // Git reads a lone @ as HEAD, so this name is left out.
        fc.pre(name !== '@')
        expect(`${name}: ${branchNameFault(name) === null}`).toBe(`${name}: ${gitAccepts(name)}`)
      }),
      { numRuns: 150 },
    )
  })

  test.each(['', '@', 'HEAD', '-x', 'a b', 'a..b', 'a/', '/a', 'a//b', 'a.lock', 'a/.b', 'a@{1}', 'a.'])(
    'the branch name "%s" is refused',
    (name) => expect(branchNameFault(name)).not.toBeNull(),
  )

  test('a part longer than 250 bytes is refused', () => {
    expect(branchNameFault('x'.repeat(250))).toBeNull()
    expect(branchNameFault('x'.repeat(251))).toContain('250 bytes')
    expect(branchNameFault(`a/${'é'.repeat(126)}`)).toContain('250 bytes')
  })

  test('a name longer than 500 bytes is refused', () => {
    const name = (parts: number): string => Array.from({ length: parts }, () => 'x'.repeat(99)).join('/')
    expect(branchNameFault(name(5))).toBeNull()
    expect(branchNameFault(name(6))).toContain('500 bytes')
  })
})
