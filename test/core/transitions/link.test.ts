import { describe, expect, test } from 'vitest'
import { card, person, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const edge = (parent: string, child: string) => ({ parent: card(parent), child: card(child) })

describe('link', () => {
  test('linking to an open parent returns a ready card to todo', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    expect(board.do('link', edge('p', 'a'))).toMatchObject({ linked: true })
    expect(board.task('a')).toMatchObject({ status: 'todo', openParents: 1 })
    expect(board.kinds('a')).toEqual(['created', 'linked', 'demoted'])
    expect(board.event('demoted').data).toEqual({ cause: 'linked', parent: card('p') })
    board.check()
  })

  test('linking to a finished parent changes no status', () => {
    const board = new TestBoard()
    board.create('p')
    board.complete('p')
    board.create('a')
    board.do('link', edge('p', 'a'))
    expect(board.task('a')).toMatchObject({ status: 'ready', openParents: 0 })
    board.check()
  })

  test('a running card that gets an open parent is marked and continues', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    board.claim('a')
    board.do('link', edge('p', 'a'))
    expect(board.status('a')).toBe('running')
    expect(board.run('a').parentReopenedAt).toBe(board.now)
    expect(board.event('parent_reopened')).toMatchObject({ runId: board.run('a').id, data: { parent: card('p') } })
  })

  test('a repeated link changes nothing and writes no event', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    const before = board.store.state()
    expect(board.do('link', edge('p', 'a'))).toMatchObject({ linked: false })
    expect(board.store.state()).toEqual(before)
  })

  test('self links and cycles are refused, even through deleted cards', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b', { parents: ['a'] })
    board.create('c', { parents: ['b'] })
    expect(board.refused('link', edge('a', 'a')).code).toBe('self_link')
    expect(board.refused('link', edge('c', 'a'))).toMatchObject({ code: 'cycle', details: edge('c', 'a') })
    board.do('delete', { task: card('b') })
    expect(board.refused('link', edge('c', 'a')).code).toBe('cycle')
  })

  test('linking unknown or deleted cards is refused', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('link', edge('x', 'a')).code).toBe('task_not_found')
    expect(board.refused('link', edge('a', 'x')).code).toBe('task_not_found')
    board.create('p')
    board.do('delete', { task: card('p') })
    expect(board.refused('link', edge('p', 'a')).code).toBe('task_not_found')
  })

  test('a worker may link only its own card', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    expect(board.refused('link', edge('p', 'a'), worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    const fence = board.claim('a')
    expect(board.do('link', edge('p', 'a'), board.workerOf('a', fence)).linked).toBe(true)
  })
})

describe('unlink', () => {
  test('unlinking the last open parent makes a card ready', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('q')
    board.create('a', { parents: ['p', 'q'] })
    board.do('unlink', edge('p', 'a'))
    expect(board.status('a')).toBe('todo')
    board.do('unlink', edge('q', 'a'))
    expect(board.status('a')).toBe('ready')
    expect(board.kinds('a')).toEqual(['created', 'unlinked', 'unlinked', 'promoted'])
    board.check()
  })

  test('unlinking a waived parent does not change the card', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('promote', { task: card('a'), force: true })
    board.do('unlink', edge('p', 'a'))
    expect(board.task('a')).toMatchObject({ status: 'ready', openParents: 0 })
    board.check()
  })

  test('`unlink` is refused without a link and for other workers', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    expect(board.refused('unlink', edge('p', 'a')).code).toBe('link_not_found')
    expect(board.refused('unlink', edge('p', 'a'), worker(card('w'), runOf('w')))).toMatchObject({
      code: 'not_allowed',
    })
    expect(board.refused('unlink', edge('p', 'x'), person).code).toBe('task_not_found')
  })
})
