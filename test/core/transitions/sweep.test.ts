import { describe, expect, test } from 'vitest'
import { card, clockwork, person, worker, runOf } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const begin = { task: card('a'), stage: 'begin' } as const
const end = { task: card('a'), stage: 'end' } as const

function archived(): TestBoard {
  const board = new TestBoard()
  board.create('a')
  board.complete('a')
  board.do('archive', { task: card('a') })
  return board
}

describe('sweep', () => {
  test('takes the workspace of an archived card in two steps', () => {
    const board = archived()
    expect(board.do('sweep', begin, clockwork)).toEqual({ id: card('a'), state: 'sweeping' })
    expect(board.do('sweep', begin, person)).toEqual({ id: card('a'), state: 'sweeping' })
    expect(board.refused('reopen', { task: card('a') }).code).toBe('workspace_sweeping')
    expect(board.do('sweep', end, clockwork)).toEqual({ id: card('a'), state: 'gone' })
    expect(board.task('a').workspace).toMatchObject({ state: 'gone' })
    expect(board.do('sweep', end, clockwork)).toEqual({ id: card('a'), state: 'gone' })
    expect(board.do('reopen', { task: card('a') }).status).toBe('ready')
    board.check()
  })

  test('ends also for a card that came back meanwhile, which may then start', () => {
    const board = archived()
    board.do('sweep', begin)
    board.do('unarchive', { task: card('a') })
    expect(board.refused('reopen', { task: card('a') }).code).toBe('workspace_sweeping')
    board.do('sweep', end)
    expect(board.task('a').workspace.state).toBe('gone')
  })

  test('is refused while a child is not finished, unless that one is in the trash', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b', { parents: ['a'] })
    board.complete('a')
    board.do('archive', { task: card('a') })
    expect(board.refused('sweep', begin)).toMatchObject({ code: 'wrong_status', details: { child: card('b') } })
    board.do('delete', { task: card('b') })
    expect(board.do('sweep', begin).state).toBe('sweeping')
  })

  test('is refused for cards in use, for folders of people, and to workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('sweep', begin).code).toBe('wrong_status')
    board.claim('a')
    expect(board.refused('sweep', begin).code).toBe('wrong_status')
    board.create('d', { workspace: { kind: 'dir', path: '/srv/site', repo: null } })
    board.do('archive', { task: card('d') })
    expect(board.refused('sweep', { ...begin, task: card('d') }).code).toBe('not_allowed')
    expect(board.refused('sweep', begin, worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('sweep', { ...begin, task: card('x') }).code).toBe('task_not_found')
  })
})
