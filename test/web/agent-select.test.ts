import { expect, test } from 'vitest'
import { agentState } from '../../web/src/cards/agent-state.ts'

const NOW = new Date('2026-11-19T12:00').getTime()
const IDLE = {
  isUsable: true,
  harness: 'claude',
  program: '/bin/claude',
  pause: null,
  quota: null,
  running: 0,
  maxConcurrent: null,
}
const pause = { by: null, since: null, until: null, reason: null }
const say = (facts: Partial<Parameters<typeof agentState>[0]>): string =>
  agentState({ ...IDLE, ...facts }, { language: 'en', now: NOW })

test('an agent that can take a card shows its program', () => {
  expect(say({})).toBe('free')
  expect(say({ running: 2 })).toBe('2 running')
  expect(say({ running: 2, maxConcurrent: 3 })).toBe('2 of 3 running')
})

test('a paused agent shows the reason and the end of the pause', () => {
  const quota = { ...pause, account: 'claude', state: 'paused', cause: 'quota' } as const
  expect(say({ quota: { ...quota, until: new Date('2026-11-19T14:40').getTime() } })).toBe('out of quota until 14:40')
  expect(say({ quota: { ...quota, cause: 'auth' } })).toBe('logged out')
  expect(say({ pause })).toBe('paused')
  expect(say({ isUsable: false, program: null })).toBe('not installed')
  expect(say({ isUsable: false })).toBe('cannot run here')
})
