import { expect, test } from 'vitest'
import { card, clockwork, person } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const begin = () => {
  const board = new TestBoard()
  board.create('a', { workspace: { kind: 'worktree', repo: '/repo' } })
  const fence = board.claim('a')
  const made = { path: '/w/a', branch: 'muster/a', base: 'c0ffee', baseBranch: 'main', notes: ['.env not copied'] }
  return { board, made, input: { task: card('a'), fence, ...made } }
}

test('a card stores its worktree, branch and base only once', () => {
  const { board, made, input } = begin()
  for (let times = 0; times < 2; times += 1) board.do('note_worktree', input, clockwork)
  expect(board.task('a')).toMatchObject({
    branch: 'muster/a',
    workspace: { kind: 'worktree', path: '/w/a', repo: '/repo', base: 'c0ffee', baseBranch: 'main' },
  })
  expect(board.event('worktree_made').data).toEqual(made)
  expect(board.kinds('a').filter((kind) => kind === 'worktree_made')).toHaveLength(1)
})

test('a worktree from an ended run is refused and kept as an event', () => {
  const { board, input } = begin()
  board.settle('a', { how: 'interrupted' })
  expect(board.refused('note_worktree', input, clockwork).code).toBe('run_superseded')
  expect(board.task('a')).toMatchObject({ branch: null, workspace: { base: null } })
  const { task: _, fence: __, ...content } = input
  expect(board.event('late_result').data).toMatchObject({ verb: 'note_worktree', content })
})

test('the branch cannot be edited after the worktree is recorded', () => {
  const { board, input } = begin()
  board.do('edit', { task: card('a'), set: { branch: 'before' } }, person)
  board.do('note_worktree', input, clockwork)
  expect(board.refused('edit', { task: card('a'), set: { branch: 'other' } }, person).code).toBe('wrong_status')
})
