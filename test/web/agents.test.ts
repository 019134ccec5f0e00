import { expect, test } from 'vitest'
import { figuresOf, hueOfState, neighbour, pauseEndOf, stateOf } from '../../web/src/agents/agent-state.ts'

const AGENT = {
  isUsable: true,
  harness: 'claude',
  program: '/bin/claude',
  cli: null,
  args: [],
  file: '/home/agents/claude.md',
  pause: null,
  quota: null,
  running: 0,
}
const pause = { by: 'ada', since: 1, until: null, reason: null }
const quota = { ...pause, account: 'claude', state: 'paused', cause: 'quota' } as const

test('the state of an agent is the first state that applies', () => {
  expect(stateOf(AGENT)).toBe('ready')
  expect(stateOf({ ...AGENT, running: 2 })).toBe('running')
  expect(stateOf({ ...AGENT, running: 2, pause })).toBe('paused')
  expect(stateOf({ ...AGENT, isUsable: false, program: null, pause })).toBe('missing')
  expect(stateOf({ ...AGENT, isUsable: false })).toBe('broken')
  expect(stateOf({ ...AGENT, isUsable: false, harness: null, program: null, file: null })).toBe('unknown')
})

test('an account that waits for its limit has no warning colour, and an account that needs a person has one', () => {
  expect(hueOfState(stateOf({ ...AGENT, quota: { ...quota, until: 5 } }))).toBe('waiting')
  expect(hueOfState(stateOf({ ...AGENT, quota }))).toBe('blocked')
  expect(stateOf({ ...AGENT, quota: { ...quota, state: 'trying' } })).toBe('account_tried')
  expect(stateOf({ ...AGENT, quota: { ...quota, state: 'open' } })).toBe('ready')
})

test('a paused agent shows when its pause, or that of its account, ends', () => {
  expect(pauseEndOf({ ...AGENT, pause: { ...pause, until: 9 } })).toBe(9)
  expect(pauseEndOf({ ...AGENT, quota: { ...quota, until: 5 } })).toBe(5)
  expect([pauseEndOf(AGENT), pauseEndOf({ ...AGENT, pause })]).toEqual([null, null])
})

test('the totals add up the cards of all agents', () => {
  const agents = [
    { running: 1, waiting: 4, isWaitingExact: true },
    { running: 2, waiting: 1_000, isWaitingExact: false },
  ]
  expect(figuresOf(agents)).toEqual({ agents: 2, running: 3, waiting: 1_004, isWaitingExact: false })
})

test('the keys j and k stop at the ends of the list', () => {
  const names = ['a', 'b', 'c']
  expect([neighbour(names, null, 1), neighbour(names, null, -1)]).toEqual(['a', 'c'])
  expect([neighbour(names, 'b', 1), neighbour(names, 'c', 1), neighbour(names, 'a', -1)]).toEqual(['c', 'c', 'a'])
  expect(neighbour([], null, 1)).toBeNull()
})
