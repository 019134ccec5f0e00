import { expect, test } from 'vitest'
import { lastKnownCommit, unlandedChanges } from '../../../src/core/gates/unlanded-work.ts'

const run = (endedAt: number, commit: string | null, files = 1) => ({
  endedAt,
  changes: { files, added: 1, removed: 0, commit, note: null },
})
const landed = { commit: 'L', tip: 'A', into: 'main', at: 20 }

test('work that a run committed after the landing counts as unlanded', () => {
  expect(unlandedChanges([run(10, 'A')], landed)).toBeNull()
  expect(unlandedChanges([run(10, 'A'), run(30, 'B')], landed)).toMatchObject({ commit: 'B' })
  expect(unlandedChanges([run(10, 'A')], null)).toMatchObject({ commit: 'A' })
})

test('a run that changes nothing after the landing leaves no unlanded work', () => {
  expect(unlandedChanges([run(10, 'A'), run(30, null, 0)], landed)).toBeNull()
  expect(unlandedChanges([run(10, 'A'), { endedAt: 30, changes: null }], landed)).toBeNull()
  expect(unlandedChanges([run(30, 'A')], landed)).toBeNull()
})

test('the last commit is unknown if the newest run recorded no commit', () => {
  expect(lastKnownCommit([], null)).toBeNull()
  expect(lastKnownCommit([run(10, 'A')], landed)).toBe('A')
  expect(lastKnownCommit([run(10, 'A'), run(30, 'B')], landed)).toBe('B')
  expect(lastKnownCommit([run(10, 'A'), run(30, null)], landed)).toBeNull()
})
