import { expect, test } from 'vitest'
import { card, person, runOf } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const landing = { commit: 'c0ffee', tip: 'beef', into: 'main', strategy: 'squash' } as const

test('a landed card stores the commit, and a repeated land changes nothing', () => {
  const board = new TestBoard()
  board.create('a', { workspace: { kind: 'worktree', repo: '/repo' } })
  for (let times = 0; times < 2; times += 1) board.do('land', { task: card('a'), ...landing }, person)
  expect(board.task('a').landed).toMatchObject({ commit: 'c0ffee', tip: 'beef', into: 'main' })
  expect(board.kinds('a').filter((kind) => kind === 'landed')).toHaveLength(1)
})

test('a worker cannot land its own card', () => {
  const board = new TestBoard()
  board.create('a', { workspace: { kind: 'worktree', repo: '/repo' } })
  const worker = { kind: 'worker', name: 'coder', taskId: card('a'), runId: runOf('a') } as const
  expect(board.refused('land', { task: card('a'), ...landing }, worker).code).toBe('not_allowed')
  expect(board.task('a').landed).toBeNull()
})

test('landing a card does not land the named owner if the owner has another worktree', () => {
  const board = new TestBoard()
  for (const name of ['a', 'b']) board.create(name, { workspace: { kind: 'worktree', repo: '/repo' } })
  board.do('land', { task: card('b'), ...landing, owner: card('a') }, person)
  expect([board.task('b').landed?.commit, board.task('a').landed]).toEqual(['c0ffee', null])
})
