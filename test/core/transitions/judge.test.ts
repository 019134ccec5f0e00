import { describe, expect, test } from 'vitest'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { SECOND, card, clockwork, orchestrator, person } from '../../helpers/sample.ts'
import { TestBoard, blocked, complete, reviewAsked } from '../test-board.ts'

type Judging = Partial<VerbInput<'judge'>>
type CardOptions = Parameters<TestBoard['create']>[1]

class GoalBoard extends TestBoard {
  judge(name: string, given: Judging = {}) {
    return this.do('judge', this.judging(name, given), clockwork)
  }

  judging(name: string, given: Judging = {}): VerbInput<'judge'> {
    const { id: runId, tokenHash } = this.run(name)
    const fence = { runId, tokenHash: tokenHash ?? '' }
    const missing = given.answer === 'continue' ? ['the tests'] : []
    return { task: card(name), fence, answer: 'done', by: 'model', reason: 'seen', missing, ...given }
  }

  nextTurn(name: string, turn: number, cause: 'goal_open' | 'goal_met' = 'goal_open') {
    const { id: runId, tokenHash } = this.run(name)
    return { task: card(name), fence: { runId, tokenHash: tokenHash ?? '' }, turn, cause, left: 1 } as const
  }
}

function working(options: CardOptions = {}) {
  const board = new GoalBoard()
  board.create('a', { goal: { maxTurns: 3 }, ...options })
  const fence = board.claim('a')
  return { board, fence }
}

const lost = { by: { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' } } as const

describe('a judgement', () => {
  test('a result that the judge accepts completes the card', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    expect(board.judge('a', { hash: 'h1' })).toMatchObject({ next: 'settle', left: 2 })
    expect(board.run('a').goal).toMatchObject({ passedAt: board.now, passedHash: 'h1', stop: null })
    board.settle('a')
    expect(board.task('a')).toMatchObject({ status: 'done', goalTurns: 0 })
    board.check()
  })

  test('a result that the judge does not accept is withdrawn', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    expect(board.judge('a', { answer: 'continue' })).toMatchObject({ next: 'continue', left: 2 })
    expect(board.run('a')).toMatchObject({ verdict: null, verdictAt: null })
    expect(board.task('a').goalTurns).toBe(1)
    expect(board.event('goal_judged').data).toEqual({
      turn: 1,
      maxTurns: 3,
      answer: 'continue',
      reason: 'seen',
      missing: ['the tests'],
      withdrawn: 'complete',
    })
    board.do('next_turn', board.nextTurn('a', 2), clockwork)
    board.giveVerdict('a', fence, reviewAsked())
    board.judge('a')
    board.settle('a')
    expect(board.status('a')).toBe('review')
    board.check()
  })

  test('the card is blocked when all turns are used', () => {
    const { board } = working()
    for (const turn of [2, 3]) {
      expect(board.judge('a', { answer: 'continue' }).next).toBe('continue')
      board.do('next_turn', board.nextTurn('a', turn), clockwork)
    }
    expect(board.judge('a', { answer: 'continue' })).toMatchObject({ next: 'stop', left: 0 })
    expect(board.refused('next_turn', board.nextTurn('a', 4), clockwork).code).toBe('wrong_status')
    board.settle('a')
    expect(board.task('a')).toMatchObject({
      status: 'blocked',
      blockKind: 'budget',
      blockReason: 'All 3 turns are used. Still missing: the tests',
      blockedBy: 'muster:judge',
      goalTurns: 3,
    })
    expect(board.refused('unblock', { task: card('a') }, orchestrator).message).toContain('used all turns')
    board.do('unblock', { task: card('a') }, person)
    expect(board.task('a')).toMatchObject({ status: 'ready', goalTurns: 0 })
    board.check()
  })

  test('turns of earlier runs count towards the limit', () => {
    const { board } = working()
    board.judge('a', { answer: 'continue' })
    board.settle('a', { how: 'interrupted' })
    expect(board.task('a')).toMatchObject({ status: 'ready', goalTurns: 1 })
    board.claim('a')
    expect(board.judge('a', { answer: 'continue' })).toMatchObject({ left: 1 })
    board.check()
  })

  test('an impossible goal blocks the card, and the result is kept in the history', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    expect(board.judge('a', { answer: 'impossible', reason: 'no key' }).next).toBe('stop')
    board.settle('a')
    expect(board.task('a')).toMatchObject({
      status: 'blocked',
      blockKind: 'capability',
      blockReason: 'The judge finds that the goal cannot be reached: no key',
    })
    expect(board.run('a').outcome).toBe('blocked')
    expect(board.event('late_result').data).toMatchObject({ verb: 'verdict' })
    board.check()
  })

  test('a turn that no judge could judge does not count (scenario 74)', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    const usage = { model: 'm', inputTokens: 5, outputTokens: 1, costUsd: null }
    expect(board.judge('a', { answer: 'unavailable', reason: 'HTTP 503', usage }).next).toBe('stop')
    board.settle('a', { usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 } })
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'transient', goalTurns: 0 })
    expect(board.run('a').usage).toEqual({
      inputTokens: 15,
      outputTokens: 3,
      costUsd: 0.5,
      judge: { inputTokens: 5, outputTokens: 1, costUsd: null },
    })
    board.check()
  })

  test('an agent that never completes an accepted card is reminded once (scenario 73)', () => {
    const { board } = working()
    expect(board.judge('a').next).toBe('remind')
    board.do('next_turn', board.nextTurn('a', 2, 'goal_met'), clockwork)
    expect(board.run('a').goal).toMatchObject({ passedAt: null, isReminded: true })
    expect(board.judge('a').next).toBe('stop')
    board.settle('a')
    expect(board.task('a')).toMatchObject({
      status: 'blocked',
      blockKind: 'needs_input',
      blockReason: 'The judge accepts the work, but the agent did not complete the card.',
    })
    board.check()
  })

  test('an agent that cannot be resumed gets no further turn', () => {
    const { board } = working()
    expect(board.judge('a', { answer: 'continue', canContinue: false }).next).toBe('stop')
    board.settle('a')
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'capability' })
    board.check()
  })

  test('a judgement counts once, even if it is sent twice', () => {
    const { board } = working()
    const sent = board.judging('a', { answer: 'continue' })
    const first = board.do('judge', sent, clockwork)
    expect(board.do('judge', sent, clockwork)).toEqual(first)
    expect(board.task('a').goalTurns).toBe(1)
    expect(board.run('a').goal?.judgements).toHaveLength(1)
  })

  test('the judgement of a run that lost its card is kept and changes nothing (scenario 75)', () => {
    const { board } = working()
    const sent = board.judging('a', { answer: 'impossible', reason: 'too late' })
    board.settle('a', { how: 'interrupted' })
    board.claim('a')
    expect(board.refused('judge', sent, clockwork).code).toBe('run_superseded')
    expect(board.event('late_result').data).toMatchObject({ verb: 'judge', content: { reason: 'too late' } })
    expect(board.run('a').goal).toBeNull()
    expect(board.task('a').goalTurns).toBe(0)
  })

  test('a card without a goal, and a review, have no judge', () => {
    const board = new GoalBoard()
    board.create('a')
    board.claim('a')
    expect(board.refused('judge', board.judging('a'), clockwork).code).toBe('wrong_status')
    board.create('b', { goal: {}, reviewer: 'critic' })
    const fence = board.claim('b')
    board.giveVerdict('b', fence, complete())
    board.judge('b')
    board.settle('b')
    expect(board.status('b')).toBe('review')
    const review = board.claim('b', { agent: 'critic' })
    expect(board.refused('judge', board.judging('b'), clockwork).code).toBe('wrong_status')
    board.giveVerdict('b', review, complete())
    board.settle('b')
    expect(board.status('b')).toBe('done')
  })
})

describe('the settlement of a card with a goal', () => {
  test('a result is not applied before its judgement is recorded', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    board.settle('a', lost)
    expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
    expect(board.run('a').outcome).toBe('interrupted')
    board.check()
  })

  test('a lost run is completed if its judgement is recorded', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, complete())
    board.judge('a')
    board.settle('a', lost)
    expect(board.status('a')).toBe('done')
  })

  test('a lost run is blocked if the judge ended the work', () => {
    const { board } = working()
    board.judge('a', { answer: 'impossible', reason: 'no key' })
    board.settle('a', lost)
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'capability' })
  })

  test('a lost run between two turns is interrupted', () => {
    const { board } = working()
    board.judge('a', { answer: 'continue' })
    board.settle('a', lost)
    expect(board.run('a').outcome).toBe('interrupted')
    expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 0, goalTurns: 1 })
  })

  test('a judgement of an earlier turn does not count in a later turn', () => {
    const { board, fence } = working()
    board.judge('a')
    board.do('next_turn', board.nextTurn('a', 2, 'goal_met'), clockwork)
    board.giveVerdict('a', fence, complete())
    board.settle('a', lost)
    expect(board.status('a')).toBe('ready')
  })

  test('a block by the agent needs no judge', () => {
    const { board, fence } = working()
    board.giveVerdict('a', fence, blocked())
    board.settle('a')
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'needs_input', goalTurns: 0 })
  })

  test('a person completes the card without the judge', () => {
    const { board } = working()
    board.do('complete', { task: card('a'), runId: board.mint().runId, summary: 'good enough' }, person)
    board.settle('a', { how: 'stopped' })
    expect(board.status('a')).toBe('done')
  })

  test("a person's command overrides the judge and restores all turns", () => {
    const { board } = working({ goal: { maxTurns: 1 } })
    board.judge('a', { answer: 'continue' })
    board.do('reclaim', { task: card('a') }, person)
    board.settle('a', { how: 'stopped' })
    expect(board.task('a')).toMatchObject({ status: 'ready', goalTurns: 0 })
    board.check()
  })

  test('another agent may not complete or review the card', () => {
    const board = new GoalBoard()
    board.create('a', { goal: {} })
    const finish = { task: card('a'), runId: board.mint().runId, summary: 'done' }
    expect(board.refused('complete', finish, orchestrator).message).toContain('only its judge or a person')
    expect(board.refused('request_review', finish, orchestrator).code).toBe('not_allowed')
  })
})

describe('the goal of a card', () => {
  test('the checks can judge only a card that has checks', () => {
    const board = new GoalBoard()
    const cards = [{ id: card('a'), title: 'a', goal: { judge: 'checks' as const } }]
    expect(board.refused('create', { cards }).message).toContain('goal has no checks')
    board.create('a', { goal: { judge: 'checks' }, checks: ['make test'] })
    expect(board.refused('edit', { task: card('a'), set: { checks: [] } }).code).toBe('invalid_input')
    board.do('edit', { task: card('a'), set: { checks: [], goal: { judge: 'model' } } })
    expect(board.task('a').goal).toEqual({ maxTurns: 20, judge: 'model' })
  })

  test('a running card cannot get a goal, but can lose its goal', () => {
    const board = new GoalBoard()
    board.create('a')
    board.claim('a')
    expect(board.refused('edit', { task: card('a'), set: { goal: {} } }).code).toBe('run_live')
    const { board: other, fence } = working()
    other.giveVerdict('a', fence, complete())
    other.do('edit', { task: card('a'), set: { goal: null } })
    other.settle('a')
    expect(other.status('a')).toBe('done')
  })

  test('the limit on turns cannot fall below the turns used', () => {
    const { board } = working()
    board.judge('a', { answer: 'continue' })
    board.advance(SECOND)
    const refused = board.refused('edit', { task: card('a'), set: { goal: { maxTurns: 1 } } })
    expect(refused.message).toContain('has already used 1 turns')
    board.do('edit', { task: card('a'), set: { goal: { maxTurns: 2 } } })
    board.check()
  })

  test('a worker may not change the goal by which it is judged', () => {
    const { board, fence } = working()
    const worker = board.workerOf('a', fence)
    for (const set of [{ goal: null }, { title: 'less' }, { body: 'less' }])
      expect(board.refused('edit', { task: card('a'), set }, worker).message).toContain('by which its own work')
    board.do('edit', { task: card('a'), set: { priority: 3 } }, worker)
  })

  test('each turn may try the checks the full number of times', () => {
    const { board, fence } = working({ checks: ['make test'] })
    board.giveVerdict('a', fence, complete())
    board.do('checks', { task: card('a'), fence, passed: false, output: 'red' }, clockwork)
    expect(board.run('a').checks).toMatchObject({ tries: 1 })
    board.judge('a', { answer: 'continue', by: 'checks' })
    board.do('next_turn', board.nextTurn('a', 2), clockwork)
    expect(board.run('a').checks).toMatchObject({ tries: 0, passedAt: null })
  })
})
