import { describe, expect, test } from 'vitest'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { DAY, HOUR, MINUTE, card, clockwork, person, sampleAttachment } from '../../helpers/sample.ts'
import { TestBoard, blocked, changesAsked, complete, reviewAsked } from '../test-board.ts'

const running = (options: Parameters<TestBoard['create']>[1] = {}) => {
  const board = new TestBoard({ reviewer: 'critic' })
  board.create('a', options)
  return { board, fence: board.claim('a') }
}

describe('settle by verdict', () => {
  test('a verdict `complete` finishes the card and makes its children ready', () => {
    const { board, fence } = running()
    board.create('b', { parents: ['a'] })
    board.giveVerdict('a', fence, complete({ metadata: { n: 1 }, result: 'all of it' }))
    board.advance(MINUTE)
    const usage = { inputTokens: 5, outputTokens: 6, costUsd: 0.1 }
    expect(board.settle('a', { usage })).toEqual({
      runId: fence.runId,
      taskId: card('a'),
      outcome: 'completed',
      status: 'done',
    })
    expect(board.run('a')).toMatchObject({
      outcome: 'completed',
      endedAt: board.now,
      summary: 'did it',
      metadata: { n: 1 },
      exitCode: 0,
      usage,
    })
    expect(board.task('a')).toMatchObject({ result: 'all of it', completedAt: board.now, currentRunId: null })
    expect(board.status('b')).toBe('ready')
    expect(board.kinds().slice(-2)).toEqual(['completed', 'promoted'])
    board.check()
  })

  test('a verdict `block` blocks the card with its reason', () => {
    const { board } = running()
    expect(board.settle('a', { verdict: blocked() })).toMatchObject({ outcome: 'blocked', status: 'blocked' })
    expect(board.task('a')).toMatchObject({ blockReason: 'which colour?', blockedBy: 'agent:coder' })
    expect(board.run('a').summary).toBe('which colour?')
  })

  test('a review request moves the card to review, and requested changes move it to ready', () => {
    const { board } = running()
    expect(board.settle('a', { verdict: reviewAsked() })).toMatchObject({
      outcome: 'review_requested',
      status: 'review',
    })
    board.claim('a', { agent: 'critic' })
    expect(board.settle('a', { verdict: changesAsked() })).toMatchObject({
      outcome: 'changes_requested',
      status: 'ready',
    })
    expect(board.run('a').summary).toBe('tests are missing')
    expect(board.event('changes_requested').data).toEqual({
      reason: 'tests are missing',
      status: 'ready',
      reviewer: 'agent:critic',
      waitedMs: 0,
    })
  })

  test("a completed card with a reviewer waits for the reviewer's approval", () => {
    const { board } = running({ reviewer: 'critic' })
    board.create('b', { parents: ['a'] })
    expect(board.settle('a', { verdict: complete({ result: 'all of it' }) })).toMatchObject({
      outcome: 'review_requested',
      status: 'review',
    })
    expect(board.task('a')).toMatchObject({ result: 'all of it', completedAt: null, reviewer: 'critic' })
    expect(board.status('b')).toBe('todo')
    board.claim('a', { agent: 'critic' })
    expect(board.settle('a', { verdict: complete() })).toMatchObject({ outcome: 'completed', status: 'done' })
    expect(board.task('a').result).toBe('all of it')
    expect(board.status('b')).toBe('ready')
    board.check()
  })

  test('a verdict `complete` in a review approves the card', () => {
    const { board } = running()
    board.settle('a', { verdict: reviewAsked() })
    board.claim('a', { agent: 'critic' })
    expect(board.settle('a', { verdict: complete() }).status).toBe('done')
    expect(board.kinds('a').slice(-2)).toEqual(['completed', 'approved'])
  })

  test('a blocked review resumes as a review', () => {
    const { board } = running()
    board.settle('a', { verdict: reviewAsked() })
    board.claim('a', { agent: 'critic' })
    board.settle('a', { verdict: blocked() })
    expect(board.task('a')).toMatchObject({ status: 'blocked', resumeStatus: 'review' })
    expect(board.unblock('a').status).toBe('review')
  })

  test('a verdict in the store takes precedence over the verdict file', () => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, blocked())
    expect(board.settle('a', { verdict: complete() }).outcome).toBe('blocked')
  })

  test('a checked verdict applies however the processes ended', () => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, complete())
    expect(board.settle('a', { how: 'exited', exitCode: 137, signal: 'SIGKILL' }).outcome).toBe('completed')
  })

  test('settling stores attachments and reports unknown card ids', () => {
    const { board, fence } = running()
    board.giveVerdict('a', fence, complete({ summary: 'made t_zzzzzzzzzz for this' }))
    board.settle('a', { attachments: [sampleAttachment({ filename: 'out.txt' })] })
    expect(board.store.attachments(card('a'))).toHaveLength(1)
    expect(board.event('completed').data).toMatchObject({ artifacts: ['out.txt'] })
    expect(board.event('unknown_cards_mentioned').data).toEqual({ ids: ['t_zzzzzzzzzz'] })
  })
})

describe('settle with checks', () => {
  test('the verdicts `complete` and `request_review` fail without passed checks', () => {
    for (const verdict of [complete(), reviewAsked()]) {
      const { board } = running({ checks: ['npm test'] })
      expect(board.settle('a', { verdict })).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
      expect(board.task('a').consecutiveFailures).toBe(1)
      expect(board.event('late_result').data).toMatchObject({ verb: 'verdict', content: { kind: verdict.kind } })
    }
  })

  test('a verdict `block` needs no checks', () => {
    const { board } = running({ checks: ['npm test'] })
    expect(board.settle('a', { verdict: blocked() }).outcome).toBe('blocked')
  })

  test('exit 0 does not replace the checks', () => {
    const { board } = running({ checks: ['npm test'] })
    expect(board.settle('a', { completesOnExit: true }).outcome).toBe('checks_failed')
  })
})

describe('settle without a verdict', () => {
  test('exit 0 completes the card if the agent completes on exit', () => {
    const { board } = running()
    expect(board.settle('a', { completesOnExit: true, lastOutput: 'built' }).outcome).toBe('completed')
    expect(board.task('a').result).toBe('built')
  })

  test('without a verdict, exit 0 is a protocol violation and any other exit is a crash', () => {
    expect(running().board.settle('a').outcome).toBe('protocol_violation')
    expect(running().board.settle('a', { exitCode: 2 }).outcome).toBe('crashed')
    expect(running().board.settle('a', { exitCode: null, signal: 'SIGSEGV' }).outcome).toBe('crashed')
    expect(running().board.settle('a', { exitCode: 2, completesOnExit: true }).outcome).toBe('crashed')
  })

  test('a card whose parent opened during the run returns to todo', () => {
    const { board } = running()
    board.create('p')
    board.do('link', { parent: card('p'), child: card('a') })
    expect(board.settle('a', { how: 'interrupted' }).status).toBe('todo')
    board.check()
  })
})

describe('settle by a person or a dispatcher', () => {
  test('settling needs the open run and its fence', () => {
    const { board, fence } = running()
    const forged = { ...fence, tokenHash: 'guess' }
    const changes = { files: 1, added: 2, removed: 0, commit: 'c0ffee', note: null }
    const content = { lastOutput: 'bye', changes, completesOnExit: true }
    const refusal = board.refused('settle', { ...board.settleInput('a', { fence: forged }), ...content }, clockwork)
    expect(refusal.code).toBe('run_superseded')
    expect(board.event('late_result').data).toMatchObject({ verb: 'settle', content })
    expect(JSON.stringify(board.event('late_result'))).not.toContain('guess')
    board.settle('a')
    expect(board.refused('settle', board.settleInput('a', { fence }), clockwork).code).toBe('run_superseded')
  })

  test("the dispatcher of the run's machine can settle the run", () => {
    const { board } = running()
    const by = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
    const rival = { ...by, dispatcherTokenHash: 'rival' }
    expect(board.refused('settle', board.settleInput('a', { by: rival }), clockwork).code).toBe('run_superseded')
    expect(board.settle('a', { by, how: 'interrupted' }).outcome).toBe('interrupted')
  })

  test('a missing verdict of a lost supervisor is not a failure', () => {
    const by = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
    expect(running().board.settle('a', { by, exitCode: 0 }).outcome).toBe('interrupted')
    expect(running().board.settle('a', { by, exitCode: 3 }).outcome).toBe('crashed')
    const { board, fence } = running({ checks: ['npm test'] })
    const fails = (contentHash: string): void => {
      board.giveVerdict('a', fence, complete())
      board.do('checks', { task: card('a'), fence, passed: false, contentHash, output: 'no' }, clockwork)
    }
    fails('one')
    expect(board.settle('a', { by, exitCode: 0 }).outcome).toBe('interrupted')
  })

  test('settling as unregistered is refused once a supervisor registered', () => {
    const board = new TestBoard()
    board.create('a')
    const fence = board.claim('a')
    board.register('a', fence)
    const by = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop', unregistered: true }
    const input = board.settleInput('a', { by, how: 'spawn_failed' })
    expect(board.refused('settle', input, clockwork).code).toBe('run_live')
    expect(board.status('a')).toBe('running')
  })

  test('another machine settles a run only after its lease expires', () => {
    const { board } = running()
    board.lead('server')
    const input = board.settleInput('a', {
      by: { machine: 'server', dispatcherTokenHash: 'dispatch-server' },
      how: 'interrupted',
    })
    expect(board.refused('settle', input, clockwork)).toMatchObject({
      code: 'run_live',
      details: { machine: 'laptop' },
    })
    board.advance(2 * MINUTE)
    expect(board.do('settle', input, clockwork).outcome).toBe('interrupted')
  })
})

describe('settle by intent', () => {
  type Ask = (board: TestBoard) => unknown
  const asks = {
    complete: (board) => board.complete('a', { summary: 'good enough', force: 'demo' }),
    block: (board) => board.block('a', { kind: 'capability' }),
    schedule: (board) => board.do('schedule', { task: card('a'), at: board.now + HOUR, reason: 'later' }),
    archive: (board) => board.do('archive', { task: card('a'), reason: 'no longer' }),
    delete: (board) => board.do('delete', { task: card('a') }),
    reclaim: (board) => board.do('reclaim', { task: card('a'), assignee: 'tester' }),
    stop: (board) => board.do('stop', { task: card('a'), reason: 'wait' }),
  } satisfies Record<string, Ask>

  test.each([
    ['complete', 'completed', { status: 'done', result: 'good enough' }],
    ['block', 'blocked', { status: 'blocked', blockKind: 'capability', blockedBy: 'ada' }],
    ['schedule', 'stopped', { status: 'scheduled' }],
    ['archive', 'stopped', { status: 'archived', archivedFrom: 'ready' }],
    ['delete', 'stopped', { status: 'ready', deletedBy: 'ada' }],
    ['reclaim', 'reclaimed', { status: 'ready', assignee: 'tester', consecutiveFailures: 0 }],
    ['stop', 'stopped', { status: 'ready', held: true }],
  ] as const)("%s applies when the run ends and overrides the worker's verdict", (verb, outcome, after) => {
    const { board, fence } = running()
    expect(asks[verb](board)).toMatchObject({ status: 'running', pending: true, runId: fence.runId })
    expect(board.status('a')).toBe('running')
    expect(board.event('intent_recorded').data).toMatchObject({ verb })
    board.giveVerdict('a', fence, complete({ summary: 'mine' }))
    expect(board.settle('a').outcome).toBe(outcome)
    expect(board.task('a')).toMatchObject(after)
    expect(board.event('late_result').data).toMatchObject({ verb: 'verdict', content: { summary: 'mine' } })
    board.check()
  })

  test('a worker cannot record a command on its own run', () => {
    const { board, fence } = running()
    const own = board.workerOf('a', fence)
    for (const verb of ['archive', 'delete', 'schedule'] as const)
      expect(board.refused(verb, { task: card('a') }, own).message).toContain('verdict')
    const block = { task: card('a'), runId: board.mint().runId, reason: 'stuck' }
    expect(board.refused('block', block, own).code).toBe('not_allowed')
    expect(board.run('a').intent).toBeNull()
  })

  test('the latest of several commands applies', () => {
    const { board } = running()
    board.block('a')
    board.do('archive', { task: card('a') })
    expect(board.settle('a').status).toBe('archived')
  })

  test('a running review returns to review after reclaim or stop', () => {
    for (const [verb, status] of [
      ['reclaim', 'review'],
      ['stop', 'review'],
    ] as const) {
      const { board } = running()
      board.settle('a', { verdict: reviewAsked() })
      board.claim('a', { agent: 'critic' })
      asks[verb](board)
      expect(board.settle('a').status).toBe(status)
      board.check()
    }
  })

  test("a person's completion without passed checks is not a failure", () => {
    const { board, fence } = running({ checks: ['npm test'] })
    board.complete('a', { summary: 'ok' })
    expect(board.settle('a')).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
    expect(board.task('a').consecutiveFailures).toBe(0)
    expect(board.kinds('a').at(-1)).toBe('checks_failed')
    expect(fence.runId).toBe(board.run('a').id)
  })

  test("a person's completion uses checks that already passed", () => {
    const { board, fence } = running({ checks: ['npm test'] })
    board.giveVerdict('a', fence, complete())
    board.do('checks', { task: card('a'), fence, passed: true }, clockwork)
    board.complete('a', { summary: 'yes' })
    expect(board.settle('a').outcome).toBe('completed')
  })

  test('an approval of a live review records the person', () => {
    const { board } = running()
    board.settle('a', { verdict: reviewAsked() })
    board.claim('a', { agent: 'critic' })
    board.do('approve', { task: card('a'), runId: board.mint().runId, summary: 'fine' })
    board.settle('a')
    expect(board.event('approved').data).toEqual({ summary: 'fine', reviewer: 'ada', waitedMs: 0 })
  })

  test('a failed check run leaves a blocked card blocked', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    board.block('a')
    const { runId, tokenHash } = board.mint()
    board.complete('a', { runId, checker: { tokenHash, machine: 'laptop' } })
    board.complete('a', { summary: 'really' })
    expect(board.settle('a')).toMatchObject({ outcome: 'checks_failed', status: 'blocked' })
    board.check()
  })

  test('a card scheduled during its run wakes at its time', () => {
    const { board } = running()
    asks.schedule(board)
    board.settle('a')
    board.advance(DAY)
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('ready')
  })
})

test('settling an unknown card is refused', () => {
  const { board } = running()
  const input: VerbInput<'settle'> = { ...board.settleInput('a'), task: card('x') }
  expect(board.refused('settle', input, person).code).toBe('task_not_found')
})

describe('a check that was added after the others passed', () => {
  test('a run stays open until a check added late has passed', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['one'] })
    const fence = board.claim('a')
    board.giveVerdict('a', fence, complete())
    board.do('checks', { task: card('a'), fence, passed: true, commands: ['one'] }, clockwork)
    board.do('edit', { task: card('a'), set: { checks: ['one', 'two'] } })
    const ending = { how: 'exited', exitCode: 0 } as const
    const settle = { task: card('a'), runId: fence.runId, by: { fence }, ending }
    expect(board.refused('settle', settle, clockwork).code).toBe('checks_required')
    board.do('checks', { task: card('a'), fence, passed: true, commands: ['one', 'two'] }, clockwork)
    expect(board.do('settle', settle, clockwork)).toMatchObject({ outcome: 'completed' })
  })
})
