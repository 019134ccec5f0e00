import { describe, expect, test } from 'vitest'
import { card, clockwork, commentOf, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

describe('reopen', () => {
  test('reopening a card makes it ready, and its children wait again', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('ready', { parents: ['a'] })
    board.create('running', { parents: ['a'] })
    board.create('done', { parents: ['a'] })
    board.complete('a', { summary: 'ok' })
    board.claim('running')
    board.complete('done')
    expect(board.do('reopen', { task: card('a'), answer: { id: commentOf(1), text: 'not ok' } }).status).toBe('ready')
    expect(board.task('a')).toMatchObject({ status: 'ready', completedAt: null, result: 'ok' })
    expect(['ready', 'running', 'done'].map(board.status)).toEqual(['todo', 'running', 'done'])
    expect(board.run('running').parentReopenedAt).toBe(board.now)
    expect(board.event('demoted').data).toEqual({ cause: 'parent_reopened', parent: card('a') })
    expect(board.event('reopened').data).toEqual({ from: 'done', status: 'ready', reason: 'not ok' })
    board.check()
  })

  test('archived cards and cards in review can be reopened', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('archive', { task: card('a') })
    expect(board.do('reopen', { task: card('a') }).status).toBe('ready')
    expect(board.task('a').archivedFrom).toBeNull()
    board.attempt('a', { verdict: reviewAsked() })
    expect(board.do('reopen', { task: card('a') }).status).toBe('ready')
    board.check()
  })

  test('reopening a card ends its waivers, so its parents gate again', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('promote', { task: card('a'), force: true })
    board.complete('a')
    expect(board.do('reopen', { task: card('a') }).status).toBe('todo')
    expect(board.store.link(card('p'), card('a'))).toMatchObject({ waivedBy: null, waivedAt: null })
    board.complete('p')
    expect(board.status('a')).toBe('ready')
    board.check()
  })

  test('a reopened parent gates its children again, even if its link was waived', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('promote', { task: card('a'), force: true })
    board.complete('p')
    board.do('reopen', { task: card('p') })
    expect(board.task('a')).toMatchObject({ status: 'todo', openParents: 1 })
    board.check()
  })

  test('`reopen` is refused for workers and on unfinished cards', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('reopen', { task: card('a') }).code).toBe('wrong_status')
    board.complete('a')
    for (const actor of [worker(card('w'), runOf('w')), clockwork])
      expect(board.refused('reopen', { task: card('a') }, actor).code).toBe('not_allowed')
  })
})
