// What the file of a card's agent asks for is part of its run from the claim on: whoever settles it knows of it.
import { describe, expect, test } from 'vitest'
import { card, clockwork, identity } from '../../helpers/sample.ts'
import { TestBoard, complete, reviewAsked } from '../test-board.ts'

const DISPATCHER = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
const CHECKER = { tokenHash: 'token-check', machine: 'laptop' }

/** A card without checks of its own, claimed for an agent that asks for one. */
const running = (checks: string[] = []) => {
  const board = new TestBoard({ checkTries: 2 })
  board.create('a', { checks })
  const fence = board.claim('a', { checks: ['npm test'] })
  const check = (passed: boolean, more: object = {}) =>
    board.do('checks', { task: card('a'), fence, passed, output: 'why not', ...more }, clockwork)
  return { board, fence, check }
}

describe('a run whose agent asks for checks', () => {
  test('is done when they have passed, and keeps the list of checks', () => {
    const { board, fence, check } = running()
    expect(board.say('a', fence, complete()).checks).toBe(1)
    check(true)
    expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.run('a').checks).toMatchObject({ ofAgent: ['npm test'], tries: 0 })
  })

  test('counts a check once that the card asks for too', () => {
    const { board, fence } = running(['npm test', 'file:out'])
    expect(board.say('a', fence, complete()).checks).toBe(2)
  })

  test.each([
    ['complete', complete()],
    ['request_review', reviewAsked()],
  ] as const)('is not believed in its %s before they ran', (_, verdict) => {
    const { board, fence } = running()
    board.say('a', fence, verdict)
    expect(board.settle('a').outcome).toBe('checks_failed')
  })

  test('does not fail when its supervisor is lost before they ran', () => {
    for (const says of ['verdict', 'exit'] as const) {
      const { board, fence } = running()
      if (says === 'verdict') board.say('a', fence, complete())
      const settled = board.settle('a', { by: DISPATCHER, completesOnExit: says === 'exit' })
      expect(settled).toMatchObject({ outcome: 'interrupted', status: 'ready' })
      expect(board.task('a').consecutiveFailures).toBe(0)
    }
  })

  test('needs a verdict like any other: checks that never ran have not failed', () => {
    const { board } = running()
    expect(board.settle('a').outcome).toBe('protocol_violation')
  })

  test('spends its tries on them', () => {
    const { board, fence, check } = running()
    for (const contentHash of ['one', 'two']) {
      board.say('a', fence, complete())
      check(false, { contentHash })
    }
    expect(board.refused('verdict', { task: card('a'), fence, verdict: complete() }).code).toBe('checks_required')
  })

  test('runs them for a person who completes it meanwhile', () => {
    const { board, check } = running()
    board.complete('a')
    check(false)
    expect(board.settle('a', { how: 'stopped' })).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
  })
})

describe('a person who completes a card of such an agent', () => {
  const ready = () => {
    const board = new TestBoard()
    board.create('a')
    return board
  }

  test('is asked for a place where they can run, and the card is done after them', () => {
    const board = ready()
    const input = { task: card('a'), runId: board.mint().runId, checks: ['npm test'] }
    expect(board.refused('complete', input)).toMatchObject({
      code: 'checks_required',
      details: { checks: ['npm test'] },
    })
    const { runId } = board.complete('a', { checks: ['npm test'], checker: CHECKER })
    const fence = { runId: runId ?? input.runId, tokenHash: CHECKER.tokenHash }
    board.do('register', { task: card('a'), fence, identity: identity() }, clockwork)
    expect(board.run('a')).toMatchObject({ phase: 'check', checks: { ofAgent: ['npm test'] } })
    board.do('checks', { task: card('a'), fence, passed: true }, clockwork)
    expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
    board.check()
  })

  test('can skip them with a reason', () => {
    const board = ready()
    expect(board.complete('a', { checks: ['npm test'], force: 'seen' }).status).toBe('done')
  })
})
