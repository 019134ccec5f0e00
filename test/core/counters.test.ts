import { describe, expect, test } from 'vitest'
import { MINUTE, card, clockwork } from '../helpers/sample.ts'
import { TestBoard } from './test-board.ts'

const crash = { how: 'exited', exitCode: 1 } as const

describe('the failures of a stopped card', () => {
  const tripped = (): TestBoard => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', crash)
    board.attempt('a', crash)
    expect(board.task('a')).toMatchObject({ status: 'blocked', consecutiveFailures: 2 })
    return board
  }

  test('unblocking by a person clears the failures of a stopped card (scenario 33)', () => {
    const board = tripped()
    board.unblock('a')
    expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  })

  test('promoting by a person clears the failures of a stopped card (scenario 33)', () => {
    const board = tripped()
    board.do('promote', { task: card('a') })
    expect(board.task('a')).toMatchObject({ status: 'ready', blockKind: null, breakerOpen: false, lastError: null })
    expect([1, 2].map(() => board.attempt('a', crash).status)).toEqual(['ready', 'blocked'])
  })

  test('scheduling by a person clears the failures of a stopped card (scenario 33)', () => {
    const board = tripped()
    board.do('schedule', { task: card('a'), at: board.now })
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('ready')
    expect([1, 2].map(() => board.attempt('a', crash).status)).toEqual(['ready', 'blocked'])
  })

  test('promoting does not restart the count of attempts', () => {
    const board = tripped()
    const { attemptsSince } = board.task('a')
    board.do('promote', { task: card('a') })
    expect(board.task('a').attemptsSince).toBe(attemptsSince)
  })

  test('an edit by a person can reset the failures of a stopped card (scenario 33)', () => {
    const board = tripped()
    board.do('edit', { task: card('a'), set: {}, resetFailures: true })
    expect(board.task('a').consecutiveFailures).toBe(0)
  })

  test('a new assignee clears the failures, but the card stays blocked (scenario 33)', () => {
    const board = tripped()
    board.do('assign', { task: card('a'), assignee: 'writer' })
    expect(board.task('a')).toMatchObject({ assignee: 'writer', status: 'blocked', consecutiveFailures: 0 })
    expect(board.task('a').breakerOpen).toBe(true)
    board.unblock('a')
    expect(board.task('a')).toMatchObject({ status: 'ready', breakerOpen: false, consecutiveFailures: 0 })
  })

  test('reclaiming a running card clears its earlier failures (scenario 33)', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', crash)
    board.advance(MINUTE)
    board.claim('a')
    expect(board.task('a').consecutiveFailures).toBe(1)
    board.do('reclaim', { task: card('a') })
    board.settle('a', { how: 'interrupted' })
    expect(board.run('a').outcome).toBe('reclaimed')
    expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  })
})

test('failures are kept while a card waits for a parent (scenario 34)', () => {
  const board = new TestBoard()
  board.create('p')
  board.create('a')
  board.attempt('a', crash)
  board.do('link', { parent: card('p'), child: card('a') })
  expect(board.status('a')).toBe('todo')
  board.complete('p')
  expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 1 })
  expect(board.attempt('a', crash).status).toBe('blocked')
})

test('a waiting card overtakes newer cards of higher priority (scenario 49)', () => {
  const board = new TestBoard()
  board.create('low')
  for (let nth = 0; nth < 20; nth += 1) {
    board.advance(MINUTE)
    board.create(`high${nth}`, { priority: 1 })
  }
  const before = Array.from({ length: 20 }, (_, nth) => board.task(`high${nth}`).rank).filter(
    (rank) => rank < board.task('low').rank,
  )
  // One step of priority outweighs 15 minutes of waiting.
  expect(before).toHaveLength(14)
})
