import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  NO_REMINDERS,
  NUDGES,
  nextTurnAfter,
  describeTurn,
  countReminder,
  turnMessage,
} from '../../../src/core/briefing/turns.ts'
import type { TurnEnd } from '../../../src/core/briefing/turns.ts'
import { card, sampleRun } from '../../helpers/sample.ts'
import { complete } from '../test-board.ts'

const failed = (tries: number) => ({ tries, passedAt: null, contentHash: 'hash', output: 'no good' })

const ended = (end: Partial<TurnEnd> = {}): TurnEnd => ({
  run: sampleRun(),
  how: 'exited',
  exitCode: 0,
  signal: null,
  checkTries: 3,
  ...end,
})

describe('after a turn', () => {
  test('an agent without a verdict gets at most two reminders', () => {
    let reminders = NO_REMINDERS
    for (const left of [1, 0]) {
      const call = nextTurnAfter(ended(), reminders)
      expect(call).toEqual({ cause: 'no_verdict', left })
      if (call !== null) reminders = countReminder(reminders, call, sampleRun())
    }
    expect(nextTurnAfter(ended(), reminders)).toBeNull()
  })

  test('no turn follows a failure or a verdict', () => {
    expect(nextTurnAfter(ended({ exitCode: 3 }), NO_REMINDERS)).toBeNull()
    expect(nextTurnAfter(ended({ exitCode: null, signal: 'SIGKILL' }), NO_REMINDERS)).toBeNull()
    expect(nextTurnAfter(ended({ how: 'timed_out', exitCode: null }), NO_REMINDERS)).toBeNull()
    expect(nextTurnAfter(ended({ run: sampleRun({ verdict: complete() }) }), NO_REMINDERS)).toBeNull()
  })

  test('an agent whose checks failed continues while tries are left', () => {
    const run = sampleRun({ checks: failed(1) })
    const call = nextTurnAfter(ended({ run, how: 'checks_failed', exitCode: 1 }), NO_REMINDERS)
    expect(call).toEqual({ cause: 'checks_failed', left: 2 })
    expect(nextTurnAfter(ended({ run, how: 'checks_failed', exitCode: 75 }), NO_REMINDERS)).toBeNull()
    expect(
      nextTurnAfter(ended({ run: sampleRun({ checks: failed(3) }), how: 'checks_failed' }), NO_REMINDERS),
    ).toBeNull()
  })

  test('failed checks of unchanged content count as a reminder', () => {
    const run = sampleRun({ checks: failed(1) })
    const reminders = { nudges: 0, tries: 1 }
    expect(nextTurnAfter(ended({ run, how: 'checks_failed' }), reminders)).toEqual({ cause: 'no_verdict', left: 1 })
    expect(nextTurnAfter(ended({ run, how: 'checks_failed' }), { nudges: NUDGES, tries: 1 })).toBeNull()
  })

  test('every run has a bounded number of turns', () => {
    const step = fc.record({
      how: fc.constantFrom('exited', 'checks_failed'),
      exitCode: fc.constantFrom(0, 1, 75),
      spends: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.infiniteStream(step), fc.integer({ min: 1, max: 5 }), (steps, checkTries) => {
        let reminders = NO_REMINDERS
        let turns = 1
        let tries = 0
        for (const { how, exitCode, spends } of steps) {
          if (spends) tries += 1
          const run = sampleRun({ checks: tries === 0 ? null : failed(tries) })
          const call = nextTurnAfter(ended({ run, how, exitCode, checkTries }), reminders)
          if (call === null) break
          reminders = countReminder(reminders, call, run)
          turns += 1
          expect(turns).toBeLessThanOrEqual(1 + NUDGES + checkTries)
        }
      }),
    )
  })
})

describe('the message of a turn', () => {
  const about = { task: { id: card('a'), swarmRole: null }, phase: 'work', output: null, fault: null } as const

  test('a reminder names the card, the verdicts and the error in RESULT.json', () => {
    const message = turnMessage({ cause: 'no_verdict', left: 1 }, { ...about, fault: 'it is not JSON' })
    expect(message).toContain(`without a verdict on card ${card('a')}`)
    expect(message).toContain('request a review')
    expect(message).toContain('RESULT.json is not a verdict: it is not JSON')
    expect(message).not.toContain('last reminder')
    expect(turnMessage({ cause: 'no_verdict', left: 0 }, { ...about, phase: 'review' })).toMatch(
      /complete it to approve[^]*the last reminder/,
    )
  })

  test('check output is capped, in a code fence that it cannot close', () => {
    const output = `${'x'.repeat(50_000)}\n\`\`\`\`\nthe end`
    const message = turnMessage({ cause: 'checks_failed', left: 1 }, { ...about, output })
    expect(message).toMatch(/1 try is left/)
    expect(message.length).toBeLessThan(17_000)
    expect(message).toMatch(/\n`{5}text\n[^]*the end\n`{5}\n$/)
  })

  test('a turn has a one-line description for the log', () => {
    expect(describeTurn(2, { cause: 'checks_failed', left: 1 })).toBe('turn 2: its checks failed, 1 try left')
    expect(describeTurn(3, { cause: 'no_verdict', left: 0 })).toBe('turn 3: it ended without a verdict, last reminder')
  })
})
