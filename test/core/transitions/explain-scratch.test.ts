import { expect, test } from 'vitest'
import { card, clockwork, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const explained = (board: TestBoard, id: string): string[] =>
  board.kinds(id).filter((kind) => kind === 'scratch_explained')

test('the first scratch card of an install tells that its folder is temporary, and what to do; no other does', () => {
  const board = new TestBoard()
  for (const id of ['a', 'b']) {
    board.create(id)
    board.claim(id)
  }
  const on = (id: string, install: string) => board.do('explain_scratch', { task: card(id), install }, clockwork)
  expect(on('a', 'laptop').told).toMatch(/temporary.*--artifact.*--workspace dir:/)
  expect(on('a', 'laptop').told).toBeNull()
  expect(on('b', 'laptop').told).toBeNull()
  expect([explained(board, 'a'), explained(board, 'b')]).toEqual([['scratch_explained'], []])
  expect(board.event('scratch_explained', 'a')).toMatchObject({ runId: board.task('a').currentRunId })
  // Another machine on the same store has people of its own.
  expect(on('b', 'server').told).not.toBeNull()
})

test('a card that works elsewhere explains nothing, and no worker does', () => {
  const board = new TestBoard()
  board.create('a', { workspace: { kind: 'dir', path: '/srv/site' } })
  board.create('b')
  expect(board.do('explain_scratch', { task: card('a'), install: 'laptop' }, clockwork).told).toBeNull()
  const input = { task: card('b'), install: 'laptop' }
  expect(board.refused('explain_scratch', input, worker(card('b'), runOf('x'))).code).toBe('not_allowed')
  expect(board.do('explain_scratch', input, clockwork).told).not.toBeNull()
})
