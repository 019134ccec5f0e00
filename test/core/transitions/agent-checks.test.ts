// Tests that a claim stores the checks of the agent's file in the run, so that every process that settles the run knows
// them.
import { describe, expect, test } from 'vitest'
import { card, clockwork, identity } from '../../helpers/sample.ts'
import { TestBoard, complete, reviewAsked } from '../test-board.ts'

const DISPATCHER = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
const CHECKER = { tokenHash: 'token-check', machine: 'laptop' }

/** Makes a card that is claimed for an agent with one check. */
const running = (checks: string[] = []) => {
  const board = new TestBoard({ checkTries: 2 })
  board.create('a', { checks })
  const fence = board.claim('a', { checks: ['npm test'] })
  const check = (passed: boolean, more: object = {}) =>
    board.do('checks', { task: card('a'), fence, passed, output: 'why not', ...more }, clockwork)
  return { board, fence, check }
}

describe('a run whose agent has checks', () => {
  test("a card is done when its agent's checks pass", () => {
    const { board, fence, check } = running()
    expect(board.giveVerdict('a', fence, complete()).checks).toBe(1)
    check(true)
    expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.run('a').checks).toMatchObject({ ofAgent: ['npm test'], tries: 0 })
  })

  test('a check that card and agent share counts once', () => {
    const { board, fence } = running(['npm test', 'file:out'])
    expect(board.giveVerdict('a', fence, complete()).checks).toBe(2)
  })

  test.each([
    ['complete', complete()],
    ['request_review', reviewAsked()],
  ] as const)("a %s verdict fails if the agent's checks have not run", (_, verdict) => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, verdict)
    expect(board.settle('a').outcome).toBe('checks_failed')
  })

  test('a supervisor lost before the checks ran is not a failure', () => {
    for (const says of ['verdict', 'exit'] as const) {
      const { board, fence } = running()
      if (says === 'verdict') board.giveVerdict('a', fence, complete())
      const settled = board.settle('a', { by: DISPATCHER, completesOnExit: says === 'exit' })
      expect(settled).toMatchObject({ outcome: 'interrupted', status: 'ready' })
      expect(board.task('a').consecutiveFailures).toBe(0)
    }
  })

  test('a run without a verdict is a protocol violation, not failed checks', () => {
    const { board } = running()
    expect(board.settle('a').outcome).toBe('protocol_violation')
  })

  test("each failure of the agent's checks uses a try", () => {
    const { board, fence, check } = running()
    for (const contentHash of ['one', 'two']) {
      board.giveVerdict('a', fence, complete())
      check(false, { contentHash })
    }
    expect(board.refused('verdict', { task: card('a'), fence, verdict: complete() }).code).toBe('checks_required')
  })

  test("completing a running card runs the agent's checks", () => {
    const { board, check } = running()
    board.complete('a')
    check(false)
    expect(board.settle('a', { how: 'stopped' })).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
  })
})

describe('completing a card whose agent has checks', () => {
  const ready = () => {
    const board = new TestBoard()
    board.create('a')
    return board
  }

  test('completing a card needs a machine that runs the checks first', () => {
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

  test("a person may skip the agent's checks with a reason", () => {
    const board = ready()
    expect(board.complete('a', { checks: ['npm test'], force: 'seen' }).status).toBe('done')
  })
})
