import { describe, expect, test } from 'vitest'
import { card, clockwork } from '../../helpers/sample.ts'
import { TestBoard, blocked, complete, reviewAsked } from '../test-board.ts'

const DISPATCHER = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }

const running = () => {
  const board = new TestBoard({ checkTries: 2 })
  board.create('a', { checks: ['npm test'] })
  const fence = board.claim('a')
  const check = (passed: boolean, more: object = {}) =>
    board.do('checks', { task: card('a'), fence, passed, output: 'why not', ...more }, clockwork)
  return { board, fence, check }
}

describe('an agent whose exit code is its verdict', () => {
  test('exit 0 and passed checks complete the card with the last output', () => {
    const { board, check } = running()
    check(true, { onExit: true })
    expect(board.settle('a', { completesOnExit: true, lastOutput: 'built' })).toMatchObject({ outcome: 'completed' })
    expect(board.task('a').result).toBe('built')
    expect(board.kinds('a')).not.toContain('verdict_recorded')
  })

  test('failed checks after exit 0 fail the run without a withdrawn verdict', () => {
    const { board, check } = running()
    check(false, { onExit: true })
    const error = 'check failed: npm test (exit 1)'
    board.settle('a', { how: 'checks_failed', completesOnExit: true, error })
    expect(board.run('a')).toMatchObject({ outcome: 'checks_failed', error, checks: { output: 'why not' } })
    expect(board.task('a')).toMatchObject({ consecutiveFailures: 1, lastError: error })
    expect(board.kinds('a')).not.toContain('verdict_withdrawn')
  })

  test('a supervisor lost before the checks ran is not a failure', () => {
    const { board } = running()
    expect(board.settle('a', { by: DISPATCHER, completesOnExit: true })).toMatchObject({
      outcome: 'interrupted',
      status: 'ready',
    })
    expect(board.task('a').consecutiveFailures).toBe(0)
  })

  test('a supervisor lost after the checks passed completes the card', () => {
    const { board, check } = running()
    check(true, { onExit: true })
    expect(board.settle('a', { by: DISPATCHER, completesOnExit: true }).outcome).toBe('completed')
  })
})

describe('a verdict', () => {
  test('an unchecked verdict of a lost supervisor is recorded but not applied', () => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, complete())
    expect(board.settle('a', { by: DISPATCHER }).outcome).toBe('interrupted')
    expect(board.event('late_result').data).toMatchObject({ content: { kind: 'complete' } })
    expect(board.task('a').consecutiveFailures).toBe(0)
  })

  test('after the last failed try only the verdict `block` is accepted', () => {
    const { board, fence, check } = running()
    for (const contentHash of ['one', 'two']) {
      board.giveVerdict('a', fence, complete())
      check(false, { contentHash })
    }
    for (const verdict of [complete(), reviewAsked()])
      expect(board.refused('verdict', { task: card('a'), fence, verdict })).toMatchObject({
        code: 'checks_required',
        details: { output: 'why not' },
      })
    board.giveVerdict('a', fence, blocked())
    expect(board.settle('a').outcome).toBe('blocked')
  })

  test('a withdrawn verdict fails the run with the output of the checks', () => {
    const { board, fence, check } = running()
    board.giveVerdict('a', fence, complete())
    check(false)
    expect(board.settle('a').outcome).toBe('checks_failed')
    expect(board.run('a').error).toBe('why not')
  })

  test('a verdict `block` needs no checks, and failing checks do not withdraw it', () => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, complete())
    board.giveVerdict('a', fence, blocked())
    const late = { task: card('a'), fence, passed: false, output: 'too late' }
    expect(board.refused('checks', late, clockwork).code).toBe('wrong_status')
    expect(board.settle('a').outcome).toBe('blocked')
  })
})

describe('completing a live card', () => {
  test("a person's completion applies if the checks pass", () => {
    const { board, check } = running()
    board.complete('a', { summary: 'good enough' })
    check(true)
    expect(board.settle('a', { how: 'stopped' })).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.task('a').result).toBe('good enough')
  })

  test("failed checks refuse a person's completion without counting a failure", () => {
    const { board, fence, check } = running()
    board.giveVerdict('a', fence, complete({ summary: 'mine' }))
    board.complete('a', { summary: 'good enough' })
    check(false)
    const error = 'check failed: npm test (exit 1)'
    expect(board.settle('a', { how: 'stopped', error })).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
    expect(board.run('a').error).toBe(error)
    expect(board.task('a').consecutiveFailures).toBe(0)
    expect(board.event('late_result').data).toMatchObject({ content: { summary: 'mine' } })
  })
})

test('an approval after checks records the person as reviewer', () => {
  const board = new TestBoard()
  board.create('a', { checks: ['npm test'] })
  const work = board.claim('a')
  board.giveVerdict('a', work, reviewAsked())
  board.do('checks', { task: card('a'), fence: work, passed: true }, clockwork)
  board.settle('a')
  const { runId, tokenHash } = board.mint()
  board.do('approve', { task: card('a'), runId, summary: 'fine', checker: { tokenHash, machine: 'laptop' } })
  board.do('checks', { task: card('a'), fence: { runId, tokenHash }, passed: true }, clockwork)
  expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
  expect(board.event('approved').data).toEqual({ summary: 'fine', reviewer: 'ada', waitedMs: 0 })
  board.check()
})
