import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyNotRunning } from '../../src/core/reasons/why.ts'
import type { Reason } from '../../src/core/reasons/reason.ts'
import { fieldOf } from '../../src/core/tournament/tournament.ts'
import { card, clockwork, orchestrator, person, worker, runOf } from '../helpers/sample.ts'
import type { VerbInput } from '../../src/core/transitions/index.ts'
import { JUDGE_ACTOR, TOURNAMENT_ACTOR } from '../../src/core/actor.ts'
import { sampleBoard } from '../helpers/sample.ts'
import { TestBoard, blocked, changesAsked, complete } from './test-board.ts'

const ENTRIES = ['a', 'b', 'c']
const ids = ENTRIES.map(card)

type Root = Partial<VerbInput<'create'>['cards'][number]>

function tournament(picker: 'person' | 'judge' = 'person', root: Root = {}, board = new TestBoard()): TestBoard {
  board.do('create', {
    tournament: { picker },
    cards: [
      { id: card('root'), title: 'Write the parser', parents: ids, ...root },
      ...ENTRIES.map((name) => ({ id: card(name), title: `Entry ${name}`, assignee: 'coder' })),
    ],
  })
  return board
}

const win = (board: TestBoard, name: string): void =>
  void board.attempt(name, { verdict: complete({ summary: `work of ${name}`, result: `result of ${name}` }) })
const lose = (board: TestBoard, name: string): void =>
  void board.attempt(name, { verdict: blocked({ blockKind: 'capability' }) })

const follow = (board: TestBoard): boolean =>
  board.do('follow_tournament', { task: card('root'), entries: ids, runId: board.mint().runId }, TOURNAMENT_ACTOR)
    .changed

const pickInput = (board: TestBoard, name: string, more: Partial<VerbInput<'pick'>> = {}): VerbInput<'pick'> => ({
  task: card('root'),
  entry: card(name),
  entries: ids,
  runId: board.mint().runId,
  ...more,
})

function reasonsOf(board: TestBoard, withEntries = true): readonly Reason[] {
  const task = board.task('root')
  const entries = ENTRIES.map((name) => board.task(name))
  return whyNotRunning({
    task,
    board: sampleBoard(),
    now: board.now,
    openParents: entries.filter(({ status }) => !['done', 'archived'].includes(status)),
    ...(withEntries ? { entries } : {}),
    parentSweeping: false,
    run: null,
    localObstacles: [],
    isDispatched: true,
    slots: [],
    account: null,
    openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
    caps: { machine: null, agent: null, account: null },
    directoryUser: null,
    branchHolders: [],
    machine: 'laptop',
    reviewerIsAuthor: false,
  })
}

describe('a new tournament', () => {
  test('a tournament waits for its entries and cannot be claimed, promoted, completed or linked', () => {
    const board = tournament()
    expect(board.task('root')).toMatchObject({
      status: 'todo',
      openParents: 3,
      tournament: { entries: ids, pick: null },
    })
    expect(board.task('a')).toMatchObject({ status: 'ready', entryOf: card('root') })
    const input = { task: card('root'), runId: runOf('x') }
    expect(board.refused('claim_manual', input).code).toBe('gate_closed')
    expect(board.refused('promote', { task: card('root'), force: true }).message).toContain('muster pick')
    expect(board.refused('complete', input).message).toContain('muster pick')
    board.create('other')
    expect(board.refused('link', { parent: card('other'), child: card('root') }).code).toBe('not_allowed')
    expect(board.refused('unlink', { parent: card('a'), child: card('root') }).code).toBe('not_allowed')
    board.check()
  })

  test('a finished tournament keeps exactly its entries as parents', () => {
    const board = tournament()
    for (const name of ENTRIES) win(board, name)
    board.do('pick', pickInput(board, 'a'))
    board.create('other')
    for (const status of ['done', 'todo']) {
      expect(board.status('root')).toBe(status)
      expect(board.refused('link', { parent: card('other'), child: card('root') }).code).toBe('not_allowed')
      expect(board.refused('unlink', { parent: card('a'), child: card('root') }).code).toBe('not_allowed')
      if (status === 'done') board.do('reopen', { task: card('root') })
    }
  })

  test('a worker cannot start a tournament, and one entry is not enough', () => {
    const cards = [
      { id: card('r'), title: 'r', parents: [card('x')] },
      { id: card('x'), title: 'x' },
    ]
    const board = new TestBoard()
    expect(board.refused('create', { tournament: { picker: 'person' }, cards }).code).toBe('invalid_input')
    const by = board.startWorker('w')
    const two = [
      { ...cards[0], id: card('r'), title: 'r', parents: [card('x'), card('y')] },
      cards[1],
      { id: card('y'), title: 'y' },
    ]
    const given = two as VerbInput<'create'>['cards']
    expect(board.refused('create', { tournament: { picker: 'person' }, cards: given }, by).code).toBe('not_allowed')
  })

  test('a repeated idempotency key returns the tournament with its entries', () => {
    const board = tournament('person', { idempotencyKey: 'k' })
    const cards = [
      { id: card('r2'), title: 'Write the parser', parents: [card('x'), card('y')], idempotencyKey: 'k' },
      { id: card('x'), title: 'x' },
      { id: card('y'), title: 'y' },
    ]
    const again = board.do('create', { tournament: { picker: 'person' }, cards })
    expect(again).toEqual({ ids: [card('root'), ...ids], created: false, differs: ['bestOf'] })
  })

  test('a tournament stays in todo when its last entry finishes', () => {
    const board = tournament()
    for (const name of ENTRIES) win(board, name)
    expect(board.task('root')).toMatchObject({ status: 'todo', openParents: 0 })
    board.check()
  })

  test('the reasons count the playing entries, and then name the missing pick', () => {
    const board = tournament()
    win(board, 'a')
    expect(reasonsOf(board)[0]).toMatchObject({
      code: 'entries_open',
      params: { open: 2, total: 3, passed: 1 },
      remedies: [{ operation: 'pick', asks: ['entry'] }],
    })
    expect(reasonsOf(board, false)[0]).toMatchObject({ code: 'entries_open', params: { open: 2, passed: null } })
    lose(board, 'b')
    lose(board, 'c')
    expect(reasonsOf(board)).toMatchObject([{ code: 'pick_needed', params: { passed: 1, failure: null } }])
  })
})

describe('a pick', () => {
  test('a pick gives the winner’s work to the tournament and archives the losers', () => {
    const board = tournament()
    for (const name of ENTRIES) win(board, name)
    board.create('after', { parents: ['root'] })
    expect(board.do('pick', pickInput(board, 'b', { reason: 'simpler' }))).toMatchObject({
      status: 'done',
      stopping: [],
    })
    expect(board.task('root')).toMatchObject({
      status: 'done',
      result: 'result of b',
      workspace: { owner: card('b') },
      pickSince: null,
      tournament: { pick: { winner: card('b'), agent: 'coder', by: 'ada', reason: 'simpler', order: null } },
    })
    expect(board.run('root')).toMatchObject({ outcome: 'completed', summary: 'work of b', usage: null })
    expect([board.status('a'), board.status('b'), board.status('c')]).toEqual(['archived', 'done', 'archived'])
    expect(board.status('after')).toBe('ready')
    expect(board.event('picked', 'root').data).toMatchObject({ winner: card('b'), agent: 'coder' })
    board.check()
  })

  test('a running loser is stopped, and archived when its run ends', () => {
    const board = tournament()
    win(board, 'a')
    lose(board, 'b')
    board.claim('c')
    expect(board.do('pick', pickInput(board, 'a')).stopping).toEqual([card('c')])
    expect(board.run('c').intent).toMatchObject({ verb: 'archive' })
    expect([board.status('b'), board.status('c'), board.status('root')]).toEqual(['archived', 'running', 'done'])
    board.settle('c', { how: 'interrupted' })
    expect(board.status('c')).toBe('archived')
    board.check()
  })

  test('a picked winner goes to the reviewer, and requested changes require a new pick', () => {
    const board = tournament('person', { reviewer: 'critic' })
    for (const name of ENTRIES) win(board, name)
    board.do('pick', pickInput(board, 'a'))
    expect(board.task('root')).toMatchObject({ status: 'review', result: 'result of a' })
    board.claim('root', { agent: 'critic' })
    board.settle('root', { verdict: changesAsked() })
    expect(board.status('root')).toBe('todo')
    expect(reasonsOf(board)[0]?.code).toBe('pick_needed')
    board.do('pick', pickInput(board, 'b'))
    expect([board.status('a'), board.status('b')]).toEqual(['archived', 'done'])
    board.check()
  })

  test('a pick is refused for unfinished entries, other cards and other callers', () => {
    const board = tournament()
    win(board, 'a')
    board.create('other')
    const refused = (name: string, more: Partial<VerbInput<'pick'>> = {}, by = person) =>
      board.refused('pick', pickInput(board, name, more), by)
    expect(refused('b').message).toContain('only an entry that is done can win')
    expect(refused('other').message).toContain('is not an entry')
    expect(refused('a', { task: card('other') }).message).toContain('is not a tournament')
    expect(refused('a', {}, worker(card('b'), runOf('x')))).toMatchObject({ code: 'not_allowed' })
    expect(refused('a', {}, orchestrator)).toMatchObject({ code: 'not_allowed' })
    expect(refused('a', { attempt: 1 }, JUDGE_ACTOR)).toMatchObject({ code: 'claim_lost' })
  })

  test('a reopened tournament accepts another pick', () => {
    const board = tournament('judge')
    for (const name of ENTRIES) win(board, name)
    board.do('pick', pickInput(board, 'a'))
    expect(board.refused('pick', pickInput(board, 'b')).message).toContain('muster reopen')
    board.do('reopen', { task: card('root') })
    expect(board.status('root')).toBe('todo')
    expect(follow(board)).toBe(true)
    expect(board.task('root').pickSince).not.toBeNull()
    board.do('pick', pickInput(board, 'b'))
    expect([board.status('a'), board.status('b')]).toEqual(['archived', 'done'])
    expect(board.task('root').tournament?.pick?.winner).toBe(card('b'))
    board.check()
  })
})

describe('the board follows a tournament', () => {
  test('the board asks a person once when no entry is playing', () => {
    const board = tournament()
    win(board, 'a')
    expect(follow(board)).toBe(false)
    lose(board, 'b')
    lose(board, 'c')
    expect([follow(board), follow(board)]).toEqual([true, false])
    expect(board.event('pick_needed', 'root').data).toEqual({ passed: [card('a')], out: [card('b'), card('c')] })
    board.unblock('b')
    expect(follow(board)).toBe(true)
    expect(board.task('root').pickSince).toBeNull()
    expect(reasonsOf(board)[0]?.code).toBe('entries_open')
  })

  test('the only finished entry wins without a question to the judge', () => {
    const board = tournament('judge')
    win(board, 'a')
    lose(board, 'b')
    board.do('archive', { task: card('c') })
    expect(follow(board)).toBe(true)
    expect(board.task('root')).toMatchObject({
      status: 'done',
      tournament: { pick: { winner: card('a'), order: null } },
    })
    expect(board.kinds('root')).not.toContain('pick_needed')
  })

  test('a tournament is blocked while all its entries are out', () => {
    const board = tournament('judge')
    lose(board, 'a')
    lose(board, 'b')
    board.do('delete', { task: card('c') })
    expect(follow(board)).toBe(true)
    const root = board.task('root')
    expect(root).toMatchObject({ status: 'blocked', blockKind: 'capability', blockedBy: 'muster:tournament' })
    expect(root.blockReason).toContain(`${card('a')} (coder): blocked, which colour?`)
    expect(reasonsOf(board)[0]).toMatchObject({
      code: 'no_entry_left',
      remedies: [{ operation: 'unblock', input: { task: card('a') } }, { input: { task: card('b') } }],
    })
    expect(follow(board)).toBe(false)
    board.unblock('a')
    expect(follow(board)).toBe(true)
    expect(board.status('root')).toBe('todo')
    board.check()
  })

  test('the board does not change a tournament on hold', () => {
    const board = tournament('judge')
    win(board, 'a')
    lose(board, 'b')
    lose(board, 'c')
    board.do('hold', { task: card('root') })
    expect(follow(board)).toBe(false)
    board.do('release', { task: card('root') })
    expect(follow(board)).toBe(true)
  })
})

test('a tournament without any entry left can be finished by hand', () => {
  const board = tournament()
  for (const name of ENTRIES) board.do('archive', { task: card(name) })
  follow(board)
  const [reason] = reasonsOf(board)
  expect(reason).toMatchObject({ code: 'no_entry_left', remedies: [{ operation: 'complete' }] })
  board.complete('root')
  expect(board.status('root')).toBe('done')
})

describe('the judge', () => {
  const usage = { model: 'm', inputTokens: 10, outputTokens: 2, costUsd: 0.5 }
  const begin = (board: TestBoard, order: readonly string[]) =>
    board.do('begin_pick', { task: card('root'), entries: ids, order: order.map(card) }, JUDGE_ACTOR).attempt as number

  function finished(): TestBoard {
    const board = tournament('judge')
    win(board, 'a')
    win(board, 'b')
    lose(board, 'c')
    return board
  }

  test('the tournament records the order that the judge saw, and the judge’s usage', () => {
    const board = finished()
    expect(reasonsOf(board)[0]).toMatchObject({ code: 'judge_picks', params: { passed: 2 } })
    const attempt = begin(board, ['b', 'a'])
    board.do('pick', pickInput(board, 'a', { attempt, usage, reason: 'it is right' }), JUDGE_ACTOR)
    const order = [card('b'), card('a')]
    expect(board.task('root').tournament?.pick).toMatchObject({ winner: card('a'), by: 'muster:judge', order })
    expect(board.run('root').usage).toMatchObject({ inputTokens: 10, costUsd: 0.5, judge: { outputTokens: 2 } })
    board.check()
  })

  test('an earlier pick by a person is kept', () => {
    const board = finished()
    const attempt = begin(board, ['a', 'b'])
    board.do('pick', pickInput(board, 'b'))
    expect(board.refused('pick', pickInput(board, 'a', { attempt, usage }), JUDGE_ACTOR).code).toBe('wrong_status')
    expect(board.task('root').tournament?.pick?.winner).toBe(card('b'))
  })

  test('an answer does not count if the entries changed or another try began', () => {
    const board = finished()
    const attempt = begin(board, ['a', 'b'])
    expect(board.refused('begin_pick', { task: card('root'), entries: ids, order: ids }, JUDGE_ACTOR).code).toBe(
      'claim_lost',
    )
    board.do('reopen', { task: card('b') })
    expect(board.refused('pick', pickInput(board, 'a', { attempt }), JUDGE_ACTOR).code).toBe('claim_lost')
    const late = pickInput(board, 'a', { attempt: attempt + 1 })
    expect(board.refused('pick', late, JUDGE_ACTOR).code).toBe('claim_lost')
  })

  test('after three retries, a person gets the reason and picks the winner', () => {
    const board = finished()
    for (const last of [1, 2, 3, 4]) {
      const attempt = begin(board, ['a', 'b'])
      expect(attempt).toBe(last)
      const input = { task: card('root'), attempt, reason: 'no answer', mayRecover: true, retryMs: 1_000, usage }
      const { retryAt } = board.do('fail_pick', input, JUDGE_ACTOR)
      expect(retryAt).toBe(last === 4 ? null : board.now + 1_000 * 2 ** (last - 1))
      board.advance(60_000)
    }
    expect(board.task('root')).toMatchObject({ tournament: { picker: 'person', judging: { failure: 'no answer' } } })
    expect(board.task('root').pickSince).not.toBeNull()
    expect(reasonsOf(board)[0]).toMatchObject({ code: 'pick_needed', params: { failure: 'no answer' } })
    board.do('pick', pickInput(board, 'a'))
    expect(board.run('root').usage).toMatchObject({ inputTokens: 40, costUsd: 2 })
  })

  test('a renewed try stays with its judge, and a crashed judge loses it within a minute', () => {
    const board = finished()
    const attempt = begin(board, ['a', 'b'])
    for (let times = 0; times < 3; times += 1) {
      board.advance(50_000)
      board.do('renew_pick', { task: card('root'), attempt }, JUDGE_ACTOR)
    }
    board.advance(59_000)
    const again = { task: card('root'), entries: ids, order: [card('b'), card('a')] }
    expect(board.refused('begin_pick', again, JUDGE_ACTOR).code).toBe('claim_lost')
    board.advance(1_000)
    const next = begin(board, ['b', 'a'])
    expect(next).toBe(2)
    expect(board.refused('renew_pick', { task: card('root'), attempt }, JUDGE_ACTOR).code).toBe('claim_lost')
    board.do('renew_pick', { task: card('root'), attempt: next, releaseMs: 0 }, JUDGE_ACTOR)
    expect(begin(board, ['a', 'b'])).toBe(3)
  })

  test('interrupted tries are no failures, but after 20 of them a person picks', () => {
    const board = finished()
    for (let tries = 1; tries <= 20; tries += 1) {
      expect(begin(board, ['a', 'b'])).toBe(tries)
      board.advance(60_000)
    }
    expect(board.task('root').tournament).toMatchObject({ picker: 'judge', judging: { failures: 0 } })
    expect(begin(board, ['a', 'b'])).toBeNull()
    expect(board.task('root')).toMatchObject({ tournament: { picker: 'person' } })
    expect(board.task('root').pickSince).not.toBeNull()
    expect(reasonsOf(board)[0]?.code).toBe('pick_needed')
    board.check()
  })

  test('wrong settings of the judge let a person pick at once', () => {
    const board = finished()
    const attempt = begin(board, ['a', 'b'])
    const input = { task: card('root'), attempt, reason: 'no key', mayRecover: false }
    expect(board.do('fail_pick', input, JUDGE_ACTOR).retryAt).toBeNull()
    expect(board.event('pick_failed', 'root').data).toMatchObject({ reason: 'no key', retryAt: null })
  })
})

describe('every history of a tournament', () => {
  const moves = [
    'win',
    'lose',
    'claim',
    'settle',
    'archive',
    'delete',
    'undelete',
    'unblock',
    'reopen',
    'hold',
    'release',
    'pick',
  ] as const
  const step = fc.record({ move: fc.constantFrom(...moves), name: fc.constantFrom(...ENTRIES, 'root') })

  /** Makes a move if it is legal now. */
  function make(board: TestBoard, { move, name }: { move: (typeof moves)[number]; name: string }): void {
    const { status, held, deletedAt } = board.task(name)
    const isPlaying = name !== 'root' && status === 'ready' && !held && deletedAt === null
    if (move === 'win' || move === 'lose' || move === 'claim') {
      if (!isPlaying) return
      if (move === 'win') win(board, name)
      else if (move === 'lose') lose(board, name)
      else board.claim(name)
    } else if (move === 'settle') {
      if (board.status(name) === 'running') board.settle(name, { how: 'interrupted' })
    } else if (move === 'pick') {
      board.store.decide({
        verb: 'pick',
        board: 'main',
        actor: person,
        input: pickInput(board, name === 'root' ? 'a' : name),
      })
    } else board.store.decide({ verb: move, board: 'main', actor: person, input: { task: card(name) } })
    board.advance(24 * 3_600_000)
  }

  test('the tournament never starts, is never stuck, and has at most one winner', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom('person', 'judge'), (steps, picker) => {
        const board = tournament(picker)
        for (const one of steps) {
          make(board, one)
          const before = board.task('root')
          if (before.deletedAt === null && before.status !== 'done' && before.status !== 'archived') follow(board)
          board.check()
          const root = board.task('root')
          expect(['ready', 'running']).not.toContain(root.status)
          if (root.deletedAt !== null || root.status === 'done' || root.status === 'archived') continue
          expect(reasonsOf(board).length).toBeGreaterThan(0)
          const { playing, passed } = fieldOf(ENTRIES.map((name) => board.task(name)))
          if (playing.length > 0 || root.held) continue
          // If no entry is playing, a person, the judge or the block must end the wait.
          const isForJudge = root.tournament?.picker === 'judge' && passed.length > 1
          expect(root.status === 'blocked' || root.pickSince !== null || isForJudge).toBe(true)
        }
        const winner = board.task('root').tournament?.pick?.winner
        expect(board.status('root') !== 'done' || (winner !== undefined && ids.includes(winner))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

test('the dispatcher does not claim a tournament', () => {
  const board = tournament()
  for (const name of ENTRIES) win(board, name)
  const refused = board.refused('claim', board.claimInput('root'), clockwork)
  expect(refused.code === 'gate_closed' || refused.code === 'claim_lost').toBe(true)
})
