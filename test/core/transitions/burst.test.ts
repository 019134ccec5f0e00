import { describe, expect, test } from 'vitest'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { card, clockwork } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const crash = { how: 'exited', exitCode: 3 } as const

function burst(board: TestBoard, names: readonly string[]): VerbInput<'pause_burst'> {
  const crashes = names.map((name) => {
    const { id, startedAt } = board.run(name)
    return { task: card(name), runId: id, startedAt }
  })
  const by = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
  return { agent: 'coder', reason: '3 cards crashed in the same way', crashes, ...by }
}

function crashed(...names: string[]): TestBoard {
  const board = new TestBoard()
  for (const name of names) board.create(name)
  for (const name of names) board.attempt(name, crash)
  return board
}

describe('a burst of crashes', () => {
  test('a burst pauses the agent and does not count against the cards (scenario 37)', () => {
    const board = crashed('a', 'b', 'c')
    expect(board.do('pause_burst', burst(board, ['a', 'b', 'c']), clockwork).forgiven).toHaveLength(3)
    for (const name of ['a', 'b', 'c']) expect(board.task(name).consecutiveFailures).toBe(0)
    expect(board.event('paused').data).toMatchObject({ kind: 'agent', name: 'coder', until: null })
    board.advance(60_000)
    expect(board.refused('claim', board.claimInput('a'), clockwork).details).toMatchObject({
      reason: { code: 'paused', params: { reason: expect.stringContaining('3 cards crashed in the same way') } },
    })
    board.do('pause_burst', burst(board, ['a', 'b', 'c']), clockwork)
    expect(board.kinds().filter((kind) => kind === 'paused')).toHaveLength(1)
    board.check()
  })

  test('a burst removes only the last failure of each card from its count', () => {
    const board = new TestBoard({ failureLimit: 5 })
    board.create('a')
    board.attempt('a', crash)
    board.attempt('a', crash)
    board.do('pause_burst', burst(board, ['a']), clockwork)
    expect(board.task('a').consecutiveFailures).toBe(1)
  })

  test('an open breaker stays open after a burst', () => {
    const board = crashed('a')
    board.attempt('a', crash)
    board.do('pause_burst', burst(board, ['a']), clockwork)
    expect(board.task('a')).toMatchObject({ status: 'blocked', breakerOpen: true, consecutiveFailures: 2 })
  })

  test('resuming the agent ends the pause and records the time', () => {
    const board = crashed('a')
    board.do('pause_burst', burst(board, ['a']), clockwork)
    board.advance(1)
    board.do('resume', { kind: 'agent', name: 'coder' })
    expect(board.store.slot({ kind: 'agent', name: 'coder' })).toMatchObject({ pausedAt: null, resumedAt: board.now })
  })

  test('a burst on another board does not pause the agent a second time', () => {
    const board = crashed('a', 'b')
    const { pausedAt } = board.do('pause_burst', burst(board, ['a']), clockwork)
    const more = board.do('pause_burst', { ...burst(board, ['b']), pausedAt }, clockwork)
    expect(more).toEqual({ pausedAt, forgiven: [card('b')] })
    expect(board.kinds().filter((kind) => kind === 'paused')).toHaveLength(1)
  })

  test('only the active dispatcher may report a burst', () => {
    const board = crashed('a')
    const stranger = { ...burst(board, ['a']), dispatcherTokenHash: 'somebody' }
    expect(board.refused('pause_burst', stranger, clockwork).code).toBe('dispatcher_superseded')
  })
})
