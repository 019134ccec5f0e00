import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/core/board.ts'
import { accountAfter, freshAccount } from '../../../src/core/limits/quota.ts'
import { HOUR, MINUTE, SECOND, card, clockwork, sampleRun } from '../../helpers/sample.ts'
import { TestBoard, complete } from '../test-board.ts'

const limit = { how: 'exited', exitCode: 75, completesOnExit: true, account: 'acme' } as const
const spending = { account: 'acme' } as const

/** Makes a board with cards whose agents share one account. */
function board(...names: string[]): TestBoard {
  const made = new TestBoard()
  for (const name of names) made.create(name)
  return made
}

describe('a rate limit of an account', () => {
  test('a rate limit pauses the account and all its cards', () => {
    const cards = board('a', 'b')
    expect(cards.attempt('a', { claim: spending, ...limit })).toMatchObject({
      outcome: 'rate_limited',
      status: 'ready',
    })
    expect(cards.task('a')).toMatchObject({ cooldownUntil: null, consecutiveFailures: 0, rateLimits: 1 })
    expect(cards.store.account('acme')).toMatchObject({ pauseCause: 'quota', pausedUntil: cards.now + 5 * MINUTE })
    expect(cards.event('paused').data).toMatchObject({ kind: 'account', name: 'acme', until: cards.now + 5 * MINUTE })
    for (const name of ['a', 'b'])
      expect(cards.refused('claim', cards.claimInput(name, spending), clockwork)).toMatchObject({
        details: { reason: { gate: 'account_paused', until: cards.now + 5 * MINUTE } },
      })
    cards.claim('b')
  })

  test('a rate limit without an account delays only its card', () => {
    const cards = board('a')
    cards.attempt('a', { ...limit, account: null })
    expect(cards.task('a')).toMatchObject({ cooldownUntil: cards.now + 5 * MINUTE, cooldownReason: 'rate_limit' })
    expect(cards.store.account('acme')).toBeNull()
  })

  test('runs that hit one limit at the same time count once', () => {
    const cards = board('a', 'b', 'c')
    for (const name of ['a', 'b', 'c']) cards.claim(name, spending)
    for (const name of ['a', 'b', 'c']) cards.settle(name, limit)
    expect(cards.store.account('acme')).toMatchObject({ strikes: 1, pausedUntil: cards.now + 5 * MINUTE })
    expect(cards.kinds().filter((kind) => kind === 'paused')).toHaveLength(1)
    expect(cards.task('c').cooldownUntil).toBeNull()
  })

  test('the account is paused until the named reset time', () => {
    const cards = board('a')
    cards.attempt('a', { claim: spending, ...limit, retryAt: cards.now + 3 * HOUR })
    expect(cards.store.account('acme')?.pausedUntil).toBe(cards.now + 3 * HOUR)
  })

  test.each([
    ['in the past', -HOUR],
    ['now', 0],
    ['a thousand years away', 365_000 * 24 * HOUR],
  ])('a reset time that is %s is ignored', (_, after) => {
    const cards = board('a', 'b')
    const retryAt = Math.max(0, cards.now + after)
    cards.attempt('a', { claim: spending, ...limit, retryAt })
    expect(cards.store.account('acme')?.pausedUntil).toBe(cards.now + 5 * MINUTE)
    expect(cards.refused('claim', cards.claimInput('b', spending), clockwork).details).toMatchObject({
      reason: { code: 'account_paused' },
    })
    cards.attempt('b', { ...limit, account: null, retryAt })
    expect(cards.task('b').cooldownUntil).toBe(cards.now + 5 * MINUTE)
  })

  test('rate limits at the same time use the latest reset and count once', () => {
    const cards = board('a', 'b', 'c')
    for (const name of ['a', 'b', 'c']) cards.claim(name, spending)
    for (const [name, seconds] of [
      ['a', 20],
      ['b', 30],
      ['c', 25],
    ] as const)
      cards.settle(name, { ...limit, retryAt: cards.now + seconds * SECOND })
    expect(cards.store.account('acme')).toMatchObject({ strikes: 1, pausedUntil: cards.now + 30 * SECOND })
  })

  test('repeated short reset times are ignored', () => {
    const cards = board('a')
    const until = () => (cards.store.account('acme')?.pausedUntil ?? 0) - cards.now
    const waits: number[] = []
    for (let met = 0; met < 5; met += 1) {
      cards.attempt('a', { claim: spending, ...limit, retryAt: cards.now + SECOND })
      waits.push(until())
      cards.advance(until())
    }
    expect(waits).toEqual([SECOND, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 40 * MINUTE])
    cards.attempt('a', { claim: spending, ...limit, retryAt: cards.now + 3 * HOUR })
    expect(until()).toBe(3 * HOUR)
  })
})

describe('after the pause of an account', () => {
  function waited(...names: string[]): TestBoard {
    const cards = board(...names)
    cards.attempt('a', { claim: spending, ...limit })
    cards.advance(5 * MINUTE)
    return cards
  }

  test('one run tries the account, and the others wait for its result', () => {
    const cards = waited('a', 'b')
    cards.claim('a', spending)
    expect(cards.run('a').probe).toBe(true)
    expect(cards.refused('claim', cards.claimInput('b', spending), clockwork).details).toMatchObject({
      reason: { code: 'account_probed' },
    })
    cards.settle('a', { verdict: complete(), account: 'acme' })
    expect(cards.store.account('acme')).toMatchObject({ pauseCause: null, strikes: 0, reopenedAt: cards.now })
    expect(cards.event('resumed').data).toEqual({ kind: 'account', name: 'acme' })
    cards.claim('b', spending)
    expect(cards.run('b').probe).toBe(false)
  })

  test('a run that hits the limit again doubles the wait', () => {
    const cards = waited('a')
    cards.attempt('a', { claim: spending, ...limit })
    expect(cards.store.account('acme')).toMatchObject({ strikes: 2, pausedUntil: cards.now + 10 * MINUTE })
  })

  test.each([
    ['interrupted', { how: 'interrupted' }],
    ['crashed', { how: 'exited', exitCode: 1 }],
  ] as const)('a probe that was %s is replaced by the next run', (_, ending) => {
    const cards = waited('a', 'b')
    cards.claim('a', spending)
    cards.settle('a', { ...ending, account: 'acme' })
    expect(cards.store.account('acme')).toMatchObject({ pauseCause: 'quota', probeRunId: null })
    cards.claim('b', spending)
    expect(cards.run('b').probe).toBe(true)
  })

  test('an interrupted probe without an account is replaced by the next run', () => {
    const cards = waited('a', 'b')
    cards.claim('a', spending)
    cards.settle('a', { how: 'interrupted' })
    cards.claim('b', spending)
    expect(cards.run('b').probe).toBe(true)
  })

  test('a rate limit of a run that started before the reopening is ignored', () => {
    const cards = board('a', 'b', 'c')
    cards.claim('c', spending)
    cards.attempt('a', { claim: spending, ...limit })
    cards.advance(5 * MINUTE)
    cards.claim('b', spending)
    cards.advance(SECOND)
    cards.settle('b', { verdict: complete(), account: 'acme' })
    cards.settle('c', limit)
    expect(cards.store.account('acme')).toMatchObject({ pauseCause: null })
    expect(cards.task('c').cooldownReason).toBe('rate_limit')
  })
})

test('a board limits the open runs of one account', () => {
  const cards = board('a', 'b')
  cards.do('set_board', { settings: { maxPerAccount: 1 } })
  cards.claim('a', spending)
  expect(cards.refused('claim', cards.claimInput('b', spending), clockwork)).toMatchObject({
    code: 'capped',
    details: { id: card('b'), reason: { params: { cap: 'account', used: 1, limit: 1 } } },
  })
})

test('a pause never gets shorter, whatever the order of signals', () => {
  const signal = fc.record({
    later: fc.nat(7_200_000),
    until: fc.option(fc.nat(36_000_000)),
    from: fc.constantFrom('a run', 'the probe'),
  })
  fc.assert(
    fc.property(fc.array(signal, { minLength: 2, maxLength: 20 }), (signals) => {
      let now = 1_000_000
      let account = freshAccount('acme', now)
      for (const { later, until, from } of signals) {
        now += later
        const run = sampleRun({ startedAt: now })
        const before = from === 'the probe' ? { ...account, probeRunId: run.id } : account
        const end = {
          outcome: 'rate_limited',
          retryAt: until,
          authFault: null,
          settings: DEFAULT_SETTINGS,
          now,
        } as const
        const after = accountAfter(before, run, end)?.row ?? account
        expect(after.pausedUntil ?? 0).toBeGreaterThanOrEqual(account.pausedUntil ?? 0)
        account = after
      }
    }),
  )
})
