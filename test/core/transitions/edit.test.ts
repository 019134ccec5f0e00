import { describe, expect, test } from 'vitest'
import { MINUTE, NOON, card, clockwork, orchestrator, runOf, worker } from '../../helpers/sample.ts'
import type { Actor } from '../../../src/core/actor.ts'
import type { VerbInput } from '../../../src/core/transitions/index.ts'
import { shownCommands } from '../../helpers/shown-commands.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('edit', () => {
  test('`edit` writes only the fields that differ, and its event names them', () => {
    const board = new TestBoard()
    board.create('a', { body: 'old' })
    board.advance(1)
    board.do('edit', { task: card('a'), set: { title: 'Card a', body: 'new', skills: ['git'] } })
    expect(board.task('a')).toMatchObject({ body: 'new', skills: ['git'], updatedAt: NOON + 1 })
    expect(board.event('edited').data).toEqual({ fields: ['body', 'skills'] })
  })

  test('an edit that changes nothing writes nothing', () => {
    const board = new TestBoard()
    board.create('a')
    const before = board.store.state()
    board.do('edit', { task: card('a'), set: { title: 'Card a' } })
    expect(board.store.state()).toEqual(before)
  })

  test('a new priority changes the rank and has its own event', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('edit', { task: card('a'), set: { priority: 2 } })
    expect(board.task('a').rank).toBe(NOON - 30 * MINUTE)
    expect(board.kinds('a')).toEqual(['created', 'reprioritized'])
    expect(board.event('reprioritized').data).toEqual({ priority: 2, was: 0 })
  })

  test('`edit` clears fields that may be empty', () => {
    const board = new TestBoard()
    board.create('a', { body: 'x', maxRetries: 3 })
    board.do('edit', { task: card('a'), set: { body: null, maxRetries: null } })
    expect(board.task('a')).toMatchObject({ body: null, maxRetries: null })
  })

  test('`edit` changes only the given parts of a goal', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('edit', { task: card('a'), set: { goal: { maxTurns: 5 } } })
    expect(board.task('a').goal).toEqual({ maxTurns: 5, judge: 'model' })
    board.do('edit', { task: card('a'), set: { goal: { judge: 'checks' }, checks: ['true'] } })
    expect(board.task('a').goal).toEqual({ maxTurns: 5, judge: 'checks' })
    const before = board.store.state()
    board.do('edit', { task: card('a'), set: { goal: { maxTurns: 5 } } })
    expect(board.store.state()).toEqual(before)
    board.do('edit', { task: card('a'), set: { goal: null } })
    expect(board.task('a').goal).toBeNull()
  })

  test('a card without files can change its workspace', () => {
    const board = new TestBoard({ defaultDirectory: '/repo' })
    board.create('a')
    const move = (workspace: VerbInput<'edit'>['set']['workspace'], more = {}) => ({
      task: card('a'),
      set: { workspace, ...more },
    })
    board.do('edit', move({ kind: 'worktree' }, { branch: 'fix' }))
    expect(board.task('a')).toMatchObject({ branch: 'fix', workspace: { kind: 'worktree', repo: '/repo', path: null } })
    expect(board.event('edited').data).toEqual({ fields: ['workspace', 'branch'] })
    expect(board.refused('edit', move({ kind: 'scratch' })).code).toBe('invalid_input')
    board.do('edit', move({ kind: 'dir', path: '/srv' }, { branch: null }))
    expect(board.task('a').workspace).toMatchObject({ kind: 'dir', path: '/srv', repo: null })
    board.register('a', board.claim('a'))
    expect(board.refused('edit', move({ kind: 'scratch' })).code).toBe('wrong_status')
    board.settle('a', { how: 'interrupted' })
    expect(board.refused('edit', move({ kind: 'scratch' })).code).toBe('wrong_status')
  })

  test.each([
    { kind: 'dir', path: '/nowhere' },
    { kind: 'worktree', repo: '/tmp' },
  ] as const)('after a failed start in a $kind workspace, the card’s workspace can be edited', (workspace) => {
    const board = new TestBoard()
    board.create('a', { workspace })
    board.register('a', board.claim('a'))
    board.settle('a', { how: 'spawn_failed', exitCode: null, error: 'there is nothing' })
    expect(board.task('a')).toMatchObject({
      consecutiveFailures: 1,
      workspace: { ...workspace, path: 'path' in workspace ? workspace.path : null, state: 'none' },
    })
    board.do('edit', { task: card('a'), set: { workspace: { kind: 'dir', path: '/srv' } } })
    expect(board.task('a')).toMatchObject({
      consecutiveFailures: 0,
      cooldownUntil: null,
      workspace: { kind: 'dir', path: '/srv', state: 'none' },
    })
    board.check()
  })

  test('after a failed start, the worktree is kept and the card’s workspace cannot be edited', () => {
    const board = new TestBoard()
    board.create('a', { workspace: { kind: 'worktree', repo: '/repo' } })
    const fence = board.claim('a')
    board.register('a', fence)
    const made = { path: '/w/a', branch: 'muster/a', base: 'c0ffee', baseBranch: 'main' }
    board.do('note_worktree', { task: card('a'), fence, ...made }, clockwork)
    board.settle('a', { how: 'spawn_failed', exitCode: null })
    expect(board.task('a').workspace).toMatchObject({ state: 'live', base: 'c0ffee', path: '/w/a' })
    const workspace = { kind: 'scratch' } as const
    expect(board.refused('edit', { task: card('a'), set: { workspace } }).code).toBe('wrong_status')
  })

  test('a failed start of the reviewer does not change the workspace of the card', () => {
    const board = new TestBoard({ reviewer: 'critic' })
    board.create('a', { workspace: { kind: 'dir', path: '/srv' } })
    board.register('a', board.claim('a'))
    board.settle('a', { verdict: reviewAsked() })
    board.register('a', board.claim('a', { agent: 'critic' }))
    board.settle('a', { how: 'spawn_failed', exitCode: null })
    expect(board.task('a').workspace.state).toBe('live')
  })

  test('a worktree without a repository is refused', () => {
    const board = new TestBoard()
    board.create('a')
    const workspace = { kind: 'worktree' } as const
    expect(board.refused('edit', { task: card('a'), set: { workspace } }).code).toBe('invalid_input')
  })

  test('only cards with a worktree may have a branch', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b', { workspace: { kind: 'worktree', repo: '/repo' } })
    const branch = { branch: 'fix/login' }
    expect(board.refused('edit', { task: card('a'), set: branch })).toMatchObject({ code: 'invalid_input' })
    board.do('edit', { task: card('b'), set: branch })
    expect(board.task('b').branch).toBe('fix/login')
  })

  test('only a person may reset the failures of a card', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    const fence = board.claimInput('a')
    const reset = { task: card('a'), set: {}, resetFailures: true }
    board.advance(MINUTE)
    board.do('claim', fence, clockwork)
    expect(board.refused('edit', reset, worker(card('a'), fence.runId)).code).toBe('not_allowed')
    board.do('edit', reset)
    expect(board.task('a')).toMatchObject({ consecutiveFailures: 0, lastError: null })
    expect(board.kinds('a').at(-1)).toBe('failures_reset')
  })

  test('a worker cannot change the checks of its own card', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    const fence = board.claim('a')
    const drop = { task: card('a'), set: { checks: [] } }
    expect(board.refused('edit', drop, board.workerOf('a', fence)).code).toBe('not_allowed')
    expect(board.do('edit', drop).status).toBe('running')
  })

  test('new commands by an agent need approval, and new commands by a person do not', () => {
    const board = new TestBoard()
    for (const name of ['a', 'b', 'c']) board.create(name)
    board.do('edit', { task: card('a'), set: { checks: ['x'] } }, orchestrator)
    board.do('edit', { task: card('b'), set: { checks: ['x'] } })
    const fence = board.claim('c')
    board.do('edit', { task: card('c'), set: { body: 'rm -rf' } }, board.workerOf('c', fence))
    expect(['a', 'b', 'c'].map((name) => board.task(name).commandsApproved)).toEqual([false, true, false])
  })

  test('`edit` is refused for other workers and on unknown cards', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('edit', { task: card('a'), set: {} }, stranger).code).toBe('not_allowed')
    expect(board.refused('edit', { task: card('x'), set: {} }).code).toBe('task_not_found')
  })
})

describe('amend', () => {
  test('amend corrects the result of a card and keeps its run', () => {
    const board = new TestBoard()
    board.create('a')
    board.complete('a', { summary: 'it works' })
    const run = board.run('a')
    board.do('amend', { task: card('a'), result: 'it nearly works', metadata: { sure: false } })
    expect(board.task('a')).toMatchObject({ result: 'it nearly works', metadata: { sure: false } })
    expect(board.run('a')).toEqual(run)
    expect(board.event('amended').data).toEqual({ result: 'it nearly works', summary: null })
    board.do('amend', { task: card('a'), summary: 'short' })
    expect(board.task('a').result).toBe('short')
  })

  test('`amend` is refused on unfinished cards and for workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('amend', { task: card('a') })).toMatchObject({ code: 'wrong_status' })
    board.complete('a')
    expect(board.refused('amend', { task: card('a') }, stranger).code).toBe('not_allowed')
  })
})

describe('assign', () => {
  test('a new assignee begins with a failure count of zero', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    board.do('assign', { task: card('a'), assignee: 'Tester' })
    expect(board.task('a')).toMatchObject({ assignee: 'tester', consecutiveFailures: 0, cooldownUntil: null })
    expect(board.event('assigned').data).toEqual({ assignee: 'tester', was: 'coder' })
  })

  test('assigning the same agent changes nothing', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    const before = board.store.state()
    board.do('assign', { task: card('a'), assignee: 'coder' })
    expect(board.store.state()).toEqual(before)
  })

  test('a new assignee keeps the breaker open, and only a person can clear the failures', () => {
    const board = new TestBoard({ failureLimit: 1 })
    board.startWorker('w')
    board.create('a', { by: stranger, commandsApproved: true })
    board.attempt('a', { exitCode: 1 })
    board.do('assign', { task: card('a'), assignee: 'critic' }, stranger)
    expect(board.task('a')).toMatchObject({ assignee: 'critic', breakerOpen: true, consecutiveFailures: 1 })
    board.do('assign', { task: card('a'), assignee: 'tester' })
    expect(board.task('a')).toMatchObject({ assignee: 'tester', breakerOpen: true, consecutiveFailures: 0 })
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'breaker' })
  })

  test('an assignment by a worker withdraws command approval', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { checks: ['x'], commandsApproved: true, by: stranger })
    board.do('assign', { task: card('a'), assignee: 'tester' }, stranger)
    expect(board.task('a').commandsApproved).toBe(false)
  })

  test('a default assignment is marked in the event', () => {
    const board = new TestBoard()
    board.create('a', { assignee: null })
    board.do('assign', { task: card('a'), assignee: 'coder', source: 'default' }, clockwork)
    expect(board.event('assigned').data).toEqual({ assignee: 'coder', was: null, source: 'default' })
  })

  test('`assign` is refused on running cards and for other workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('assign', { task: card('a'), assignee: 'x' }, stranger).code).toBe('not_allowed')
    board.claim('a')
    expect(board.refused('assign', { task: card('a'), assignee: 'x' }).code).toBe('run_live')
  })
})

describe('approve_commands', () => {
  test("a person's approval lets the commands of an agent run", () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { checks: ['x'], by: stranger })
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({
      reason: { gate: 'command_approval' },
    })
    const shown = shownCommands({ checks: ['x'] })
    board.do('approve_commands', { task: card('a'), shown, hash: 'abc' })
    expect(board.event('commands_approved').data).toEqual({ hash: 'abc' })
    board.claim('a')
  })

  test('only a person may approve commands', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { checks: ['x'], by: stranger })
    const shown = shownCommands({ checks: ['x'] })
    for (const actor of [orchestrator, stranger, clockwork])
      expect(board.refused('approve_commands', { task: card('a'), shown, hash: 'abc' }, actor).code).toBe('not_allowed')
  })

  test('approving approved commands writes no event', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('approve_commands', { task: card('a'), shown: shownCommands(), hash: 'abc' })
    expect(board.kinds('a')).toEqual(['created'])
  })

  test('approval is refused if the commands changed after they were read', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { checks: ['make test'], by: stranger })
    const checks = ['make test']
    for (const shown of [
      shownCommands({ checks: ['make'] }),
      shownCommands({ checks, body: 'make' }),
      shownCommands({ checks, assignee: 'critic' }),
      shownCommands({ checks, agent: 'critic' }),
      shownCommands({ checks, reviewer: 'critic' }),
      shownCommands({ checks, workspace: { kind: 'dir', path: '/srv/app', repo: null } }),
    ])
      expect(board.refused('approve_commands', { task: card('a'), shown, hash: 'abc' }).code).toBe('commands_changed')
    expect(board.task('a').commandsApproved).toBe(false)
  })

  test('after approval the creating run cannot edit the card', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { by: stranger, commandsApproved: true })
    const shown = shownCommands()
    board.do('edit', { task: card('a'), set: { title: 'Mine' } }, stranger)
    board.do('approve_commands', { task: card('a'), shown, hash: 'abc' })
    expect(board.refused('edit', { task: card('a'), set: { body: 'rm' } }, stranger).code).toBe('not_allowed')
    board.do('edit', { task: card('a'), set: { body: 'rm' } }, orchestrator)
    expect(board.task('a').commandsApproved).toBe(false)
  })
})

describe('a claim by an agent with more permissions than the author', () => {
  test('a card created by a run waits for approval', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { by: stranger, commandsApproved: true })
    const refused = board.refused('claim', { ...board.claimInput('a'), approvalCause: 'script' })
    expect(refused.details).toMatchObject({ reason: { gate: 'command_approval' } })
    expect(board.task('a').commandsApproved).toBe(false)
    expect(board.event('approval_needed').data).toEqual({ reason: 'script' })
    const shown = shownCommands()
    board.do('approve_commands', { task: card('a'), shown, hash: 'abc' })
    expect(board.do('claim', { ...board.claimInput('a'), approvalCause: 'script' })).toMatchObject({
      taskId: card('a'),
    })
  })

  test("an agent's text runs as a script only if approved as a script", () => {
    const board = new TestBoard()
    board.create('a', { body: 'Look around' })
    const asScript = (): VerbInput<'claim'> => ({ ...board.claimInput('a'), trusted: ['agent:boss'] })
    const edit = (body: string, actor?: Actor): unknown =>
      board.do('edit', { task: card('a'), set: { body }, commandsApproved: true }, actor)
    edit('rm -rf .', orchestrator)
    expect(board.task('a').commandsApproved).toBe(true)
    expect(board.refused('claim', asScript()).details).toMatchObject({ reason: { gate: 'command_approval' } })
    expect(board.task('a').commandsApproved).toBe(false)
    expect(board.event('approval_needed').data).toEqual({ reason: 'script' })

    // The person read the body as text, so the body is not approved as a script.
    const shown = shownCommands({ body: 'rm -rf .' })
    board.do('approve_commands', { task: card('a'), shown, hash: 'abc' })
    expect(board.refused('claim', asScript()).code).toBe('gate_closed')
    board.do('approve_commands', { task: card('a'), shown, hash: 'abc', asScript: true })
    expect(board.event('commands_approved').data).toEqual({ hash: 'abc', script: true })
    board.do('edit', { task: card('a'), set: { title: 'Other words' } }, orchestrator)
    board.do('claim', asScript())
  })

  test('a body by a person or a trusted agent runs without approval', () => {
    const board = new TestBoard()
    const asScript = (name: string): VerbInput<'claim'> => ({
      ...board.claimInput(name),
      trusted: ['agent:boss'],
    })
    board.create('a')
    board.do('edit', { task: card('a'), set: { body: 'x' }, commandsApproved: true }, orchestrator)
    board.do('edit', { task: card('a'), set: { body: 'y' } })
    board.do('claim', asScript('a'))
    board.create('b')
    const boss = { ...orchestrator, name: 'boss' }
    board.do('edit', { task: card('b'), set: { body: 'x' }, commandsApproved: true }, boss)
    board.do('claim', asScript('b'))
    board.create('c', { body: 'x', by: orchestrator, commandsApproved: true })
    expect(board.refused('claim', asScript('c')).code).toBe('gate_closed')
  })

  test("a person's card needs no approval", () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.do('claim', { ...board.claimInput('a'), approvalCause: 'wider' })).toMatchObject({ taskId: card('a') })
  })
})

describe('an edit that also clears the claim', () => {
  test('clearing the claim edits the card and asks its run to end', () => {
    const board = new TestBoard()
    board.create('a', { skills: ['git'] })
    board.claim('a')
    const answer = board.do('edit', { task: card('a'), set: { skills: null }, clearClaim: true })
    expect(answer).toMatchObject({ pending: true })
    expect(board.task('a')).toMatchObject({ skills: null, status: 'running' })
    expect(board.run('a').intent).toMatchObject({ verb: 'reclaim' })
  })

  test('clearing the claim of a person ends the claim at once', () => {
    const board = new TestBoard()
    board.create('a', { skills: ['git'] })
    board.do('claim_manual', { task: card('a'), runId: runOf('m') })
    board.do('edit', { task: card('a'), set: { skills: null }, clearClaim: true })
    expect(board.task('a')).toMatchObject({ skills: null, status: 'ready', currentRunId: null })
  })

  test('clearing the claim of an idle card is refused', () => {
    const board = new TestBoard()
    board.create('a', { skills: ['git'] })
    expect(board.refused('edit', { task: card('a'), set: { skills: null }, clearClaim: true }).code).toBe(
      'wrong_status',
    )
    expect(board.task('a').skills).toEqual(['git'])
  })

  test('a worker cannot clear a claim', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { by: stranger, commandsApproved: true })
    const input = { task: card('a'), set: { title: 'Mine' }, clearClaim: true }
    expect(board.refused('edit', input, stranger).code).toBe('not_allowed')
  })
})
