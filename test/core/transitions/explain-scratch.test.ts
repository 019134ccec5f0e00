import { expect, test } from 'vitest'
import { card, clockwork, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const explanations = (board: TestBoard, id: string): string[] =>
  board.kinds(id).filter((kind) => kind === 'scratch_explained')

test('the first scratch card of an install explains temporary folders, once', () => {
  const board = new TestBoard()
  for (const id of ['a', 'b']) {
    board.create(id)
    board.claim(id)
  }
  const on = (id: string, install: string) => board.do('explain_scratch', { task: card(id), install }, clockwork)
  expect(on('a', 'laptop').notice).toMatch(/temporary.*--artifact.*--workspace dir:/)
  expect(on('a', 'laptop').notice).toBeNull()
  expect(on('b', 'laptop').notice).toBeNull()
  expect([explanations(board, 'a'), explanations(board, 'b')]).toEqual([['scratch_explained'], []])
  expect(board.event('scratch_explained', 'a')).toMatchObject({ runId: board.task('a').currentRunId })
  // Another machine shows the notice again, because other people may work there.
  expect(on('b', 'server').notice).not.toBeNull()
})

test('only scratch cards get the notice, and workers cannot ask for it', () => {
  const board = new TestBoard()
  board.create('a', { workspace: { kind: 'dir', path: '/srv/site' } })
  board.create('b')
  expect(board.do('explain_scratch', { task: card('a'), install: 'laptop' }, clockwork).notice).toBeNull()
  const input = { task: card('b'), install: 'laptop' }
  expect(board.refused('explain_scratch', input, worker(card('b'), runOf('x'))).code).toBe('not_allowed')
  expect(board.do('explain_scratch', input, clockwork).notice).not.toBeNull()
})
