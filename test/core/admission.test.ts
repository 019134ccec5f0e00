import { describe, expect, test } from 'vitest'
import { GATES, isPaused, reasonsAgainstManual, reasonsToWait, runnerOf } from '../../src/core/admission.ts'
import type { Admission, Gate } from '../../src/core/admission.ts'
import type { Slot } from '../../src/core/slot.ts'
import type { Task } from '../../src/core/task.ts'
import { HOUR, NOON, card, sampleAccount, sampleBoard, sampleTask } from '../helpers/sample.ts'

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
  ownWork: false,
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

const full = { machine: 4, board: 4, agent: 4, account: 4 }

/** Each closed gate: what closes it, what its message names, what clears it. */
const CLOSED: readonly (readonly [Gate, Admission, message: string, clears: string])[] = [
  ['deleted', admission({ deletedAt: NOON }), 'in the trash', 'muster undelete'],
  ['board_archived', admission({}, { board: sampleBoard({}, { archivedAt: NOON }) }), 'main is archived', 'unarchive'],
  ['finished', admission({ status: 'done' }), 'is done', 'muster reopen'],
  ['finished', admission({ status: 'archived' }), 'is archived', 'muster reopen'],
  ['running', admission({ status: 'running' }), 'is running', 'muster reclaim'],
  ['triage', admission({ status: 'triage' }), 'is in triage', 'muster promote'],
  [
    'blocked',
    admission({ status: 'blocked', blockKind: 'needs_input', blockReason: 'which?' }),
    'which?',
    'muster unblock',
  ],
  ['schedule', admission({ status: 'scheduled', scheduledAt: NOON }), '2026-11-10T12:00:00.000Z', 'by itself'],
  ['schedule', admission({ status: 'scheduled', scheduledAt: null }), 'without a time', 'muster unblock'],
  ['parents', admission({ status: 'todo' }, { openParents: [card('p')] }), card('p'), 'muster promote'],
  ['hold', admission({ held: true }), 'on hold', 'muster release'],
  ['command_approval', admission({ commandsApproved: false }), 'nobody has approved', '--commands'],
  ['assignee', admission({ assignee: null }), 'Nobody is assigned', 'muster assign'],
  ['assignee', admission({}, { agent: { known: false, harnessInstalled: false } }), 'coder', 'agents/coder.md'],
  ['reviewer', admission({ status: 'review' }), 'a person to review', 'muster approve'],
  [
    'reviewer',
    admission({ status: 'review', reviewer: 'critic', reviewFailures: 2, breakerOpen: true }),
    'failed 2 times',
    'muster approve',
  ],
  ['harness', admission({}, { agent: { known: true, harnessInstalled: false } }), 'not installed', 'Install it'],
  [
    'cooldown',
    admission({ cooldownUntil: NOON + 1, cooldownReason: 'retry', consecutiveFailures: 1 }),
    'Failed once',
    'by itself',
  ],
  ['cooldown', admission({ cooldownUntil: NOON + 1, cooldownReason: 'rate_limit' }), 'Rate limited', 'by itself'],
  ['respawn_guard', admission({ guardUntil: NOON + 1, guardReason: 'active_pr' }), 'pull request', 'muster promote'],
  ['respawn_guard', admission({ guardUntil: NOON + 1, guardReason: 'recent_success' }), 'succeeded', 'muster promote'],
  [
    'workspace',
    admission({ workspace: { ...sampleTask().workspace, state: 'sweeping' } }),
    'being removed',
    'by itself',
  ],
  ['workspace', admission({}, { directoryUser: card('b') }), card('b'), 'ends'],
  [
    'paused',
    admission({}, { slots: [paused('agent', 'coder')] }),
    'agent coder is paused: too hot',
    'muster resume agent coder',
  ],
  [
    'account_paused',
    admission({}, { account: sampleAccount({ pauseCause: 'auth', pauseReason: 'Invalid API key' }) }),
    'acme is paused (auth): Invalid API key',
    'Log in to its program, then muster resume account acme',
  ],
  [
    'account_paused',
    admission({}, { account: sampleAccount({ pauseCause: 'person', pauseReason: 'over budget' }) }),
    'acme is paused: over budget',
    'muster resume account acme',
  ],
  [
    'cap',
    admission({}, { openRuns: full, caps: { machine: 4, agent: null, account: null } }),
    '4 of 4 places of the machine',
    'Another card',
  ],
]

describe('a closed gate', () => {
  test.each(CLOSED)('%s names itself and what clears it', (gate, input, message, clears) => {
    const reasons = reasonsToWait(input)
    expect(reasons.map((reason) => reason.gate)).toEqual([gate])
    expect(reasons[0]?.message).toContain(message)
    expect(reasons[0]?.clears).toContain(clears)
  })

  test('is shown for every gate there is, save what only a machine can tell, and that nothing else holds', () => {
    const shown = new Set(CLOSED.map(([gate]) => gate))
    expect(GATES.filter((gate) => !shown.has(gate))).toEqual(['skill', 'model', 'dispatcher'])
  })

  test('that opens by itself says when', () => {
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
  test('that is ready, assigned and unhindered has no reason to wait', () => {
    expect(reasonsToWait(admission())).toEqual([])
    expect(reasonsToWait(admission({ status: 'review', reviewer: 'critic' }))).toEqual([])
  })

  test('waits no longer once the time of its waits has come', () => {
    const over = { cooldownUntil: NOON, cooldownReason: 'retry', guardUntil: NOON, guardReason: 'active_pr' } as const
    expect(reasonsToWait(admission(over))).toEqual([])
    const account = sampleAccount({ pauseCause: 'quota', pausedUntil: NOON })
    expect(reasonsToWait(admission({}, { account }))).toEqual([])
    expect(isPaused(account, NOON - 1)).toBe(true)
  })

  test('hindered in many ways tells them all, in the order of the gates', () => {
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

  test('with many open parents names the first five', () => {
    const openParents = [1, 2, 3, 4, 5, 6, 7].map(card)
    expect(reasonsToWait(admission({ status: 'todo' }, { openParents }))[0]?.message).toMatch(
      /0000000005 and 2 more\.$/,
    )
  })

  test('is run by its assignee, and in review by its reviewer or the board’s', () => {
    const board = sampleBoard({ reviewer: 'critic' })
    expect(runnerOf(sampleTask({ assignee: 'coder', reviewer: 'judge' }), board, false)).toBe('coder')
    expect(runnerOf(sampleTask({ status: 'review', reviewer: 'judge' }), board, false)).toBe('judge')
    expect(runnerOf(sampleTask({ status: 'review' }), board, false)).toBe('critic')
    expect(runnerOf(sampleTask({ status: 'review' }), sampleBoard(), false)).toBeNull()
  })

  test('is not reviewed by the board’s reviewer where that has or had the work, unless the card names it', () => {
    const board = sampleBoard({ reviewer: 'critic' })
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'critic' }), board, false)).toBeNull()
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'coder' }), board, true)).toBeNull()
    expect(runnerOf(sampleTask({ status: 'review', assignee: 'coder', reviewer: 'critic' }), board, true)).toBe(
      'critic',
    )
    expect(runnerOf(sampleTask({ status: 'ready', assignee: 'critic' }), board, true)).toBe('critic')
    expect(reasonsToWait(admission({ status: 'review' }, { board, ownWork: true }))[0]?.message).toBe(
      'Waits for a person to review it: critic reviews this board, but not its own work.',
    )
  })
})

describe('a cap', () => {
  const capped = (open: Partial<Admission['openRuns']>, rest: Partial<Admission> = {}) =>
    reasonsToWait(admission({}, { openRuns: { machine: 0, board: 0, agent: 0, account: 0, ...open }, ...rest }))

  test('of the board is its own setting', () => {
    const board = sampleBoard({ maxRunning: 2 })
    expect(capped({ board: 1 }, { board })).toEqual([])
    expect(capped({ board: 2 }, { board })[0]?.message).toContain('2 of 2 places of the board')
  })

  test('of an agent is the smaller of the machine’s and the board’s', () => {
    const rest = { board: sampleBoard({ maxPerAgent: 3 }), caps: { machine: null, agent: 2, account: null } }
    expect(capped({ agent: 1 }, rest)).toEqual([])
    expect(capped({ agent: 2 }, rest)).toHaveLength(1)
    expect(capped({ agent: 2 }, { board: sampleBoard({ maxPerAgent: 2 }) })).toHaveLength(1)
  })

  test('that is not set never holds', () => {
    expect(capped({ machine: 99, board: 99, agent: 99, account: 99 })).toEqual([])
  })
})

describe('a person', () => {
  test('is exempt from holds, waits, pauses and caps, but not from parents, status and workspace', () => {
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
