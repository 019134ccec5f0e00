import { describe, expect, test } from 'vitest'
import { card, clockwork, orchestrator, person } from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

const ask = <E extends object>(board: TestBoard, name: string, extra: E = {} as E) => ({
  task: card(name),
  runId: board.mint().runId,
  ...extra,
})

describe('complete', () => {
  test.each(['ready', 'blocked', 'review'] as const)('`complete` finishes a card that is %s', (status) => {
    const board = new TestBoard()
    board.create('a')
    if (status === 'blocked') board.block('a')
    if (status === 'review') board.do('request_review', ask(board, 'a'))
    expect(board.complete('a')).toMatchObject({ status: 'done', pending: false })
    expect(board.task('a')).toMatchObject({ status: 'done', completedAt: board.now, blockKind: null })
    board.check()
  })

  test('only a completion with a hand-off creates a run', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    board.complete('a')
    expect(board.store.runs(card('a'))).toEqual([])
    board.complete('b', { summary: 'by hand', metadata: { n: 1 } })
    expect(board.run('b')).toMatchObject({
      kind: 'manual',
      outcome: 'completed',
      summary: 'by hand',
      metadata: { n: 1 },
      startedAt: board.now,
      endedAt: board.now,
      claimedBy: 'ada',
    })
    expect(board.event('completed', 'b').runId).toBe(board.run('b').id)
  })

  test('completing a card claimed by a person closes their run', () => {
    const board = new TestBoard()
    board.create('a')
    const { runId } = board.mint()
    board.do('claim_manual', { task: card('a'), runId })
    board.complete('a', { result: 'there' })
    expect(board.run('a')).toMatchObject({ id: runId, outcome: 'completed', summary: 'there' })
    expect(board.store.runs(card('a'))).toHaveLength(1)
    board.check()
  })

  test('a repeated completion with a hand-off changes nothing', () => {
    const board = new TestBoard()
    board.create('a')
    const asked = ask(board, 'a', { summary: 'by hand' })
    board.do('complete', asked)
    const before = board.store.state()
    expect(board.do('complete', asked)).toMatchObject({ status: 'done', runId: asked.runId })
    expect(board.store.state()).toEqual(before)
  })

  test('a blank summary is accepted', () => {
    const board = new TestBoard()
    board.create('a')
    board.complete('a', { summary: ' \n\t', result: '' })
    expect(board.event('completed').data).toEqual({ summary: '' })
  })

  test('`complete` is refused while a parent is open', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    expect(board.refused('complete', ask(board, 'a'))).toMatchObject({
      code: 'parents_open',
      details: { parents: [card('p')] },
    })
    board.create('b')
    board.block('b')
    board.do('link', { parent: card('p'), child: card('b') })
    expect(board.refused('complete', ask(board, 'b')).code).toBe('parents_open')
  })

  test('`complete` is refused for triage, scheduled, finished and unknown cards', () => {
    const board = new TestBoard()
    board.create('a', { triage: true })
    board.create('b')
    board.do('schedule', { task: card('b') })
    board.create('c')
    board.complete('c')
    for (const name of ['a', 'b', 'c']) expect(board.refused('complete', ask(board, name)).code).toBe('wrong_status')
    expect(board.refused('complete', ask(board, 'x')).code).toBe('task_not_found')
  })

  test('a completion may name only children and cards of its author', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('mine')
    board.create('theirs', { by: orchestrator })
    board.create('child', { parents: ['a'], by: orchestrator })
    const named = (...names: string[]) => ask(board, 'a', { createdCards: names.map(card) })
    expect(board.refused('complete', named('mine', 'theirs'))).toMatchObject({
      code: 'phantom_cards',
      details: { phantomCards: [card('theirs')] },
    })
    board.do('complete', named('mine', 'child'))
    expect(board.event('completed').data).toMatchObject({ verifiedCards: [card('mine'), card('child')] })
  })
})

describe('`complete` by a worker', () => {
  const made = (options: Parameters<TestBoard['create']>[1] = {}) => {
    const board = new TestBoard()
    board.create('a')
    const fence = board.claim('a')
    const actor = board.workerOf('a', fence)
    board.create('b', { by: actor, ...options })
    return { board, fence, actor }
  }

  test('a worker completes cards that its run created', () => {
    const { board, actor } = made()
    expect(board.do('complete', ask(board, 'b'), actor).status).toBe('done')
  })

  test("a worker cannot complete its own card or another agent's", () => {
    const { board, actor } = made()
    board.create('c')
    expect(board.refused('complete', ask(board, 'a'), actor).message).toContain('verdict')
    expect(board.refused('complete', ask(board, 'c'), actor).code).toBe('not_allowed')
  })

  test('a worker cannot complete a card that is blocked or in review, or skip its checks', () => {
    const { board, actor } = made({ checks: ['npm test'], commandsApproved: true })
    expect(board.refused('complete', ask(board, 'b', { force: 'trust me' }), actor).code).toBe('not_allowed')
    board.block('b')
    expect(board.refused('complete', ask(board, 'b'), actor)).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('while it is blocked or in review, or before its checks pass'),
    })
    board.unblock('b')
    board.do('request_review', ask(board, 'b'))
    expect(board.refused('complete', ask(board, 'b'), actor).code).toBe('not_allowed')
    board.do('edit', { task: card('b'), set: { reviewer: 'critic' } })
    board.claim('b', { agent: 'critic' })
    expect(board.refused('complete', ask(board, 'b'), actor).code).toBe('not_allowed')
  })
})

describe('complete with checks', () => {
  const checker = { tokenHash: 'checker', machine: 'laptop' }
  const withChecks = () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    return board
  }

  test('completing opens a check run, and the card is done if it passes', () => {
    const board = withChecks()
    const asked = ask(board, 'a', { summary: 'by hand', checker })
    expect(board.do('complete', asked)).toMatchObject({ status: 'running', pending: true, runId: asked.runId })
    expect(board.run('a')).toMatchObject({ phase: 'check', agent: null, machine: 'laptop', tokenHash: 'checker' })
    const fence = { runId: asked.runId, tokenHash: 'checker' }
    board.do('checks', { task: card('a'), fence, passed: true }, clockwork)
    expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.task('a').result).toBe('by hand')
    board.check()
  })

  test('complete without a checker is refused unless it is forced', () => {
    const board = withChecks()
    expect(board.refused('complete', ask(board, 'a'))).toMatchObject({
      code: 'checks_required',
      details: { checks: ['npm test'] },
    })
    expect(board.complete('a', { force: 'no time' }).status).toBe('done')
    expect(board.event('completed').data).toMatchObject({ forced: 'no time' })
  })

  test('complete does not run unapproved checks', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['rm -rf /'], by: board.startWorker('w') })
    expect(board.refused('complete', ask(board, 'a', { checker }), person).code).toBe('gate_closed')
    expect(board.status('a')).toBe('ready')
  })

  test('a check run does not replace the manual claim of a person', () => {
    const board = withChecks()
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    expect(board.refused('complete', ask(board, 'a', { checker })).code).toBe('checks_required')
    expect(board.complete('a', { force: 'seen it' }).status).toBe('done')
  })
})

describe('approve', () => {
  test('`approve` finishes a card in review', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    board.do('approve', ask(board, 'a', { summary: 'fine' }))
    expect(board.status('a')).toBe('done')
    expect(board.kinds('a').slice(-2)).toEqual(['completed', 'approved'])
  })

  test('approving closes the review run of a person', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    board.do('approve', ask(board, 'a'))
    expect(board.run('a')).toMatchObject({ phase: 'review', outcome: 'completed' })
  })

  test('`approve` is refused outside a review, and for workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('approve', ask(board, 'a')).code).toBe('wrong_status')
    const fence = board.claim('a')
    expect(board.refused('approve', ask(board, 'a')).code).toBe('wrong_status')
    board.giveVerdict('a', fence, reviewAsked())
    board.settle('a')
    expect(board.refused('approve', ask(board, 'a'), board.startWorker('w')).code).toBe('not_allowed')
    expect(board.refused('approve', ask(board, 'a'), clockwork).code).toBe('not_allowed')
    expect(board.do('approve', ask(board, 'a'), orchestrator).status).toBe('done')
  })
})
