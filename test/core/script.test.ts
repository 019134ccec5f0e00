/** Tests the random scripts of the property tests: how they print, shrink and run. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FakeClock, PREAMBLE, printStep, runScript, scripts } from '../helpers/commands.ts'
import type { Step } from '../helpers/commands.ts'
import { ModelStore } from '../helpers/model-store.ts'
import { HOUR, NOON, card, runOf } from '../helpers/sample.ts'

const live = (steps: readonly Step[]) => {
  const clock = new FakeClock(NOON)
  const store = new ModelStore(clock.now)
  return runScript([...PREAMBLE, ...steps], (command) => store.decide(command), clock)
}
const step = (verb: Step['verb'], rest: Partial<Step> = {}): Step => ({
  verb,
  after: 0,
  by: 'person',
  card: 0,
  ...rest,
})

describe('a script', () => {
  test('a script prints one line per step', () => {
    expect(printStep(step('link', { after: 2 * HOUR, card: 3, other: 1 }))).toBe(
      '    +2h  person: link card 3  other=1',
    )
    expect(printStep(step('pause', { by: 'board', slot: 'agent' }))).toBe('   +0ms  board: pause  slot="agent"')
  })

  test('a script finds the current run in the answers to earlier steps', async () => {
    const traces = await live([
      step('create', { agent: 'coder' }),
      step('claim'),
      step('settle', { how: 'interrupted' }),
      step('claim'),
      step('verdict', { fence: 'former' }),
      step('verdict', { fence: 'forged' }),
      step('verdict', { fence: 'current' }),
    ])
    const outcomes = traces.slice(-3).map(({ outcome }) => (outcome.ok ? 'accepted' : outcome.error.code))
    expect(outcomes).toEqual(['run_superseded', 'run_superseded', 'accepted'])
    expect(traces.at(-3)?.command.input).toMatchObject({ task: card(0), fence: { runId: runOf(7) } })
  })

  test('a script sends the commands of each worker with its own run', async () => {
    const traces = await live([
      step('create', { agent: 'coder' }),
      step('claim'),
      step('create', { card: 1, by: 'worker', from: 0 }),
      step('edit', { card: 1, by: 'worker', from: 0 }),
      step('edit', { card: 1, by: 'former_worker', from: 0 }),
    ])
    expect(traces.slice(-3).map(({ outcome }) => outcome.ok)).toEqual([true, true, false])
  })

  test('a failing script shrinks to the few steps that matter', async () => {
    const details = await fc.check(
      fc.asyncProperty(scripts(), async (script) => {
        const clock = new FakeClock(NOON)
        const store = new ModelStore(clock.now)
        await runScript(script, (command) => store.decide(command), clock)
        return !store.events().some((event) => event.kind === 'late_result')
      }),
      { seed: 1, numRuns: 100 },
    )
    expect(details.counterexample?.[0]?.length).toBeLessThanOrEqual(PREAMBLE.length + 4)
  })
})
