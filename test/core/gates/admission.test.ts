import { describe, expect, test } from 'vitest'
import { isPaused, reasonsAgainstManual, reasonsToWait, runnerOf } from '../../../src/core/gates/admission.ts'
import type { Admission } from '../../../src/core/gates/admission.ts'
import { GATES } from '../../../src/core/reasons/reason.ts'
import type { Gate, Reason } from '../../../src/core/reasons/reason.ts'
import type { BranchHolder } from '../../../src/core/gates/workspace-gates.ts'
import type { Slot } from '../../../src/core/slot.ts'
import type { Task } from '../../../src/core/task.ts'
import { HOUR, NOON, card, sampleAccount, sampleBoard, sampleTask, sampleWorkspace } from '../../helpers/sample.ts'

const admission = (task: Partial<Task> = {}, rest: Partial<Admission> = {}): Admission => ({
  task: sampleTask({ assignee: 'coder', ...task }),
  board: sampleBoard(),
  now: NOON,
  openParents: [],
  slots: [],
  account: null,
  openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
  caps: { machine: null, agent: null, account: null },
  directoryUser: null,
  branchHolders: [],
  machine: null,
  reviewerIsAuthor: false,
  ...rest,
})

const paused = (kind: Slot['kind'], name: string): Slot => ({
  kind,
  name,
  pausedAt: NOON,
  pausedBy: 'ada',
  pauseReason: 'too hot',
  pausedUntil: null,
  resumedAt: null,
})

const HOLDER: BranchHolder = {
  id: card('b'),
  board: 'main',
  status: 'running',
  deleted: false,
  state: 'live',
  machine: null,
  host: null,
  owner: null,
  needed: false,
}

const full = { machine: 4, board: 4, agent: 4, account: 4 }

const at = (state: 'sweeping'): Task['workspace'] => ({ ...sampleTask().workspace, state })
const breaker = { status: 'blocked', breakerOpen: true, blockKind: 'breaker', blockReason: '2 in a row' } as const
const asked = { status: 'blocked', blockKind: 'needs_input', blockReason: 'which?', blockedBy: 'ada' } as const
const looped = { recentBlocks: Array(4).fill({ kind: 'needs_input', at: NOON }) as Task['recentBlocks'] }
const pull = { guardUntil: NOON + 1, guardReason: 'active_pr' } as const

type Facts = Pick<Reason, 'code'> & { readonly params?: object }

const ARCHIVED_VERIFIER = { id: card('v'), status: 'archived', deleted: false, restorable: true } as const

/** Each closed gate: the state that closes the gate, its reason, and the operations that open the gate. */
const CLOSED: readonly (readonly [Gate, Admission, Facts, remedies: readonly string[]])[] = [
  ['deleted', admission({ deletedAt: NOON }), { code: 'deleted' }, ['undelete']],
  [
    'board_archived',
    admission({}, { board: sampleBoard({}, { archivedAt: NOON }) }),
    { code: 'board_archived', params: { board: 'main' } },
    ['boards unarchive'],
  ],
  ['finished', admission({ status: 'done' }), { code: 'finished', params: { status: 'done' } }, ['reopen']],
  ['finished', admission({ status: 'archived' }), { code: 'finished', params: { status: 'archived' } }, ['reopen']],
  ['running', admission({ status: 'running' }), { code: 'running' }, []],
  ['triage', admission({ status: 'triage' }), { code: 'triage' }, ['promote']],
  [
    'triage',
    admission({ ...asked, ...looped, status: 'triage' }),
    { code: 'block_loop', params: { kind: 'needs_input', times: 4, question: 'which?', by: 'ada' } },
    ['promote'],
  ],
  ['blocked', admission(asked), { code: 'blocked', params: { kind: 'needs_input', reason: 'which?' } }, ['answer']],
  [
    'blocked',
    admission({ ...breaker, consecutiveFailures: 2, lastError: 'exit 3' }),
    { code: 'breaker_open', params: { failures: 2, error: 'exit 3' } },
    ['unblock'],
  ],
  ['blocked', admission({ ...breaker, blockKind: 'attempts' }), { code: 'attempts_spent' }, ['unblock']],
  ['schedule', admission({ status: 'scheduled', scheduledAt: NOON }), { code: 'scheduled' }, ['unblock']],
  ['schedule', admission({ status: 'scheduled', scheduledAt: null }), { code: 'parked' }, ['unblock']],
  [
    'parents',
    admission({ status: 'todo' }, { openParents: [card('p')] }),
    { code: 'parents_open', params: { count: 1, parents: [{ id: card('p'), title: null, status: null }] } },
    ['promote'],
  ],
  [
    'verification',
    admission({}, { verification: { verifier: ARCHIVED_VERIFIER, waived: false } }),
    { code: 'not_approved', params: { verifier: ARCHIVED_VERIFIER } },
    ['unarchive', 'promote'],
  ],
  [
    'verification',
    admission({}, { verification: { verifier: null, waived: false } }),
    { code: 'not_approved' },
    ['complete'],
  ],
  [
    'blocked',
    admission({ ...breaker, blockedBy: 'muster:swarm', rejections: 2 }),
    { code: 'rejected_too_often', params: { times: 2 } },
    ['complete', 'unblock'],
  ],
  [
    'pick',
    admission({
      status: 'todo',
      tournament: { entries: [card('p'), card('q')], picker: 'person', judging: null, pick: null },
    }),
    { code: 'pick_needed', params: { passed: null, total: 2, failure: null } },
    [],
  ],
  ['hold', admission({ held: true }), { code: 'held' }, ['release']],
  ['command_approval', admission({ commandsApproved: false }), { code: 'commands_unapproved' }, ['approve-commands']],
  ['assignee', admission({ assignee: null }), { code: 'unassigned' }, ['assign']],
  [
    'assignee',
    admission({}, { agent: { known: false, harnessInstalled: false } }),
    { code: 'agent_unknown', params: { agent: 'coder', role: 'assignee' } },
    ['assign'],
  ],
  [
    'reviewer',
    admission({ status: 'review' }),
    { code: 'review_by_person', params: { boardReviewer: null } },
    ['approve', 'request-changes'],
  ],
  [
    'reviewer',
    admission({ status: 'review', reviewer: 'critic', reviewFailures: 2, breakerOpen: true }),
    { code: 'reviewer_failed', params: { reviewer: 'critic', failures: 2 } },
    ['approve', 'request-changes', 'edit'],
  ],
  [
    'harness',
    admission({}, { agent: { known: true, harnessInstalled: false } }),
    { code: 'program_missing', params: { agent: 'coder', role: 'assignee' } },
    ['assign'],
  ],
  [
    'cooldown',
    admission({ cooldownUntil: NOON + 1, cooldownReason: 'retry', consecutiveFailures: 1, lastError: 'exit 3' }),
    { code: 'retry_wait', params: { failures: 1, error: 'exit 3' } },
    ['promote'],
  ],
  [
    'cooldown',
    admission({ cooldownUntil: NOON + 1, cooldownReason: 'retry', protocolViolations: 2 }),
    { code: 'retry_wait', params: { failures: 2, error: null } },
    ['promote'],
  ],
  ['cooldown', admission({ cooldownUntil: NOON + 1, cooldownReason: 'rate_limit' }), { code: 'rate_limit_wait' }, []],
  ['respawn_guard', admission(pull), { code: 'pull_request_linked' }, ['promote']],
  ['respawn_guard', admission({ ...pull, guardReason: 'recent_success' }), { code: 'recent_success' }, ['promote']],
  ['workspace', admission({ workspace: at('sweeping') }), { code: 'workspace_sweeping' }, []],
  [
    'workspace',
    admission({}, { directoryUser: card('b') }),
    { code: 'directory_busy', params: { card: card('b') } },
    [],
  ],
  [
    'machine',
    admission({ workspace: sampleWorkspace({ state: 'live', machine: 'm_2', host: 'server' }) }, { machine: 'm_1' }),
    { code: 'files_elsewhere', params: { machine: 'm_2', host: 'server' } },
    ['edit'],
  ],
  [
    'branch',
    admission(
      { branch: 'feat/x', workspace: sampleWorkspace({ kind: 'worktree', repo: '/src' }) },
      { branchHolders: [HOLDER] },
    ),
    { code: 'branch_in_use', params: { branch: 'feat/x', card: card('b'), status: 'running' } },
    ['edit'],
  ],
  [
    'hours',
    admission(
      {},
      {
        board: sampleBoard({ activeHours: '22:00-07:00' }),
        localHours: { zone: { offsetMinutes: 0, change: null }, agent: null },
      },
    ),
    {
      code: 'outside_hours',
      params: { of: 'board', name: 'main', hours: '22:00-07:00', at: NOON + 10 * HOUR },
    },
    ['boards set'],
  ],
  [
    'paused',
    admission({}, { slots: [paused('agent', 'coder')] }),
    { code: 'paused', params: { kind: 'agent', name: 'coder', reason: 'too hot' } },
    ['resume'],
  ],
  [
    'account_paused',
    admission({}, { account: sampleAccount({ pauseCause: 'auth', pauseReason: 'Invalid API key' }) }),
    { code: 'account_paused', params: { account: 'acme', cause: 'auth', reason: 'Invalid API key' } },
    ['resume'],
  ],
  [
    'cap',
    admission({}, { openRuns: full, caps: { machine: 4, agent: null, account: null } }),
    { code: 'cap_reached', params: { cap: 'machine', used: 4, limit: 4 } },
    [],
  ],
]

describe('a closed gate', () => {
  test.each(CLOSED)('the closed gate %s has a reason and remedies', (gate, input, facts, remedies) => {
    const reasons = reasonsToWait(input)
    expect(reasons).toMatchObject([{ gate, ...facts }])
    expect(reasons[0]?.remedies.map(({ operation }) => operation)).toEqual(remedies)
  })

  test('the table of examples covers every gate that a claim checks', () => {
    const shown = new Set(CLOSED.map(([gate]) => gate))
    expect(GATES.filter((gate) => !shown.has(gate))).toEqual(['skill', 'model', 'dispatcher'])
  })

  test('a gate that opens automatically shows its opening time', () => {
    const until = (input: Admission) => reasonsToWait(input)[0]?.until
    expect(until(admission({ status: 'scheduled', scheduledAt: NOON + HOUR }))).toBe(NOON + HOUR)
    expect(until(admission({ cooldownUntil: NOON + HOUR, cooldownReason: 'retry' }))).toBe(NOON + HOUR)
    expect(until(admission({ guardUntil: NOON + HOUR, guardReason: 'active_pr' }))).toBe(NOON + HOUR)
    const account = sampleAccount({ pauseCause: 'quota', pausedUntil: NOON + HOUR })
    expect(until(admission({}, { account }))).toBe(NOON + HOUR)
    expect(until(admission({ held: true }))).toBeNull()
  })
})

describe('a card', () => {
  test('a ready, assigned card has no reason to wait', () => {
    expect(reasonsToWait(admission())).toEqual([])
    expect(reasonsToWait(admission({ status: 'review', reviewer: 'critic' }))).toEqual([])
  })

  test('a cool-down, guard or pause ends exactly at its time', () => {
    const over = { cooldownUntil: NOON, cooldownReason: 'retry', guardUntil: NOON, guardReason: 'active_pr' } as const
    expect(reasonsToWait(admission(over))).toEqual([])
    const account = sampleAccount({ pauseCause: 'quota', pausedUntil: NOON })
    expect(reasonsToWait(admission({}, { account }))).toEqual([])
    expect(isPaused(account, NOON - 1)).toBe(true)
  })

  test('a card lists all its obstacles in the order of the gates', () => {
    const reasons = reasonsToWait(
      admission(
        {
          status: 'todo',
          held: true,
          commandsApproved: false,
          assignee: null,
          cooldownUntil: NOON + 1,
          cooldownReason: 'retry',
        },
        {
          openParents: [card('p')],
          slots: [paused('board', 'main')],
          directoryUser: card('b'),
          openRuns: full,
          caps: { machine: 1, agent: 1, account: 1 },
        },
      ),
    )
    const gates = reasons.map((reason) => reason.gate)
    expect(gates).toEqual([
      'parents',
      'hold',
      'command_approval',
      'assignee',
      'cooldown',
      'workspace',
      'paused',
      'cap',
      'cap',
      'cap',
    ])
  })

  test('a card with many open parents names the first five', () => {
    const openParents = [1, 2, 3, 4, 5, 6, 7].map(card)
    const parents = openParents.slice(0, 5).map((id) => ({ id, title: null, status: null }))
    expect(reasonsToWait(admission({ status: 'todo' }, { openParents }))[0]?.params).toEqual({ count: 7, parents })
  })

  test('a card runs with its assignee, or with its reviewer during a review', () => {
    const board = sampleBoard({ reviewer: 'critic' })
    expect(runnerOf(sampleTask({ assignee: 'coder', reviewer: 'judge' }), board, false)).toBe('coder')
    expect(runnerOf(sampleTask({ status: 'review', reviewer: 'judge' }), board, false)).toBe('judge')
    expect(runnerOf(sampleTask({ status: 'review' }), board, false)).toBe('critic')
    expect(runnerOf(sampleTask({ status: 'review' }), sampleBoard(), false)).toBeNull()
  })

  test("the board's reviewer does not review its own work by default", () => {
    const board = sampleBoard({ reviewer: 'critic' })
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'critic' }), board, false)).toBeNull()
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'coder' }), board, true)).toBeNull()
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'coder', reviewer: 'critic' }), board, true)).toBe(
      'critic',
    )
    expect(runnerOf(sampleTask({ status: 'ready', assignee: 'critic' }), board, true)).toBe('critic')
    expect(reasonsToWait(admission({ status: 'review' }, { board, reviewerIsAuthor: true }))).toMatchObject([
      { code: 'review_by_person', params: { boardReviewer: 'critic' } },
    ])
  })
})

describe('a cap', () => {
  const capped = (open: Partial<Admission['openRuns']>, rest: Partial<Admission> = {}) =>
    reasonsToWait(admission({}, { openRuns: { machine: 0, board: 0, agent: 0, account: 0, ...open }, ...rest }))

  test('the cap of a board is its setting', () => {
    const board = sampleBoard({ maxRunning: 2 })
    expect(capped({ board: 1 }, { board })).toEqual([])
    expect(capped({ board: 2 }, { board })[0]?.params).toEqual({ cap: 'board', used: 2, limit: 2 })
  })

  test('the cap of an agent is the lower of machine and board', () => {
    const rest = { board: sampleBoard({ maxPerAgent: 3 }), caps: { machine: null, agent: 2, account: null } }
    expect(capped({ agent: 1 }, rest)).toEqual([])
    expect(capped({ agent: 2 }, rest)).toHaveLength(1)
    expect(capped({ agent: 2 }, { board: sampleBoard({ maxPerAgent: 2 }) })).toHaveLength(1)
  })

  test('a cap that is not set never applies', () => {
    expect(capped({ machine: 99, board: 99, agent: 99, account: 99 })).toEqual([])
  })
})

describe('a person', () => {
  test('a person is exempt from waits and caps, but not from open parents', () => {
    const hindered = admission(
      { held: true, cooldownUntil: NOON + 1, cooldownReason: 'retry', assignee: null },
      { slots: [paused('board', 'main')], openRuns: full, caps: { machine: 1, agent: 1, account: 1 } },
    )
    expect(reasonsAgainstManual(hindered)).toEqual([])
    const gates = (input: Admission) => reasonsAgainstManual(input).map((reason) => reason.gate)
    expect(gates(admission({ status: 'todo' }, { openParents: [card('p')] }))).toEqual(['parents'])
    expect(gates(admission({ status: 'blocked' }))).toEqual(['blocked'])
    expect(gates(admission({ workspace: { ...sampleTask().workspace, state: 'sweeping' } }))).toEqual(['workspace'])
  })
})
