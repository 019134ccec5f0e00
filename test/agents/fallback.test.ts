import { describe, expect, test } from 'vitest'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import type { LocalAgent, Roster } from '../../src/agents/roster.ts'
import { fallbackFaults, fallbacksOf, findFallback, fitsCard } from '../../src/agents/fallback.ts'
import type { FallbackState } from '../../src/agents/fallback.ts'
import { freshSlot } from '../../src/core/slot.ts'
import { HOUR, NOON, sampleAccount, sampleTask } from '../helpers/sample.ts'

const agent = (name: string, patch: Partial<LocalAgent> = {}): LocalAgent => ({
  ...SHELL_AGENT,
  harness: 'claude',
  name,
  account: name,
  file: `/agents/${name}.md`,
  program: '/bin/claude',
  ...patch,
})

const rosterOf = (...agents: LocalAgent[]): Roster => ({
  agents: new Map(agents.map((one) => [one.name, one])),
  broken: new Map(),
  unreadable: null,
})

const exhausted = (name: string) => sampleAccount({ name, pauseCause: 'quota', pausedUntil: NOON + HOUR })
const stateWith = (patch: Partial<FallbackState> = {}): FallbackState => ({
  accounts: [exhausted('coder')],
  slots: [],
  zone: { offsetMinutes: 0, change: null },
  now: NOON,
  ...patch,
})

const coder = agent('coder', { fallback: 'backup' })
const backup = agent('backup', { fallback: 'reserve' })
const reserve = agent('reserve')
const roster = rosterOf(coder, backup, reserve)
const fallbackOf = (one: LocalAgent, all: Roster, state = stateWith()): string | null =>
  findFallback({ agent: one, role: 'assignee', roster: all }, state)?.agent.name ?? null

describe('the fallback of an agent', () => {
  test('an agent with a working account needs no fallback', () => {
    expect(fallbackOf(coder, roster, stateWith({ accounts: [] }))).toBeNull()
    expect(fallbackOf(coder, roster, stateWith({ now: NOON + HOUR }))).toBeNull()
  })

  test('an agent paused by a person gets no fallback', () => {
    const accounts = [sampleAccount({ name: 'coder', pauseCause: 'person', pausedUntil: null })]
    expect(fallbackOf(coder, roster, stateWith({ accounts }))).toBeNull()
    const slots = [{ ...freshSlot({ kind: 'agent', name: 'coder' }), pausedAt: NOON }]
    expect(fallbackOf(coder, roster, stateWith({ slots }))).toBeNull()
  })

  test('the fallback takes over while the account is paused for quota or login', () => {
    const found = findFallback({ agent: coder, role: 'assignee', roster }, stateWith())
    expect(found).toMatchObject({
      agent: { name: 'backup' },
      insteadOf: { name: 'coder' },
      pause: { code: 'account_paused', params: { account: 'coder', cause: 'quota' }, until: NOON + HOUR },
    })
    const accounts = [sampleAccount({ name: 'coder', pauseCause: 'auth', pausedUntil: null })]
    expect(fallbackOf(coder, roster, stateWith({ accounts }))).toBe('backup')
  })

  test('a fallback that cannot run is replaced by its own fallback', () => {
    expect(fallbackOf(coder, roster, stateWith({ accounts: [exhausted('coder'), exhausted('backup')] }))).toBe(
      'reserve',
    )
    const slots = [{ ...freshSlot({ kind: 'agent', name: 'backup' }), pausedAt: NOON }]
    expect(fallbackOf(coder, roster, stateWith({ slots }))).toBe('reserve')
    expect(fallbackOf(coder, rosterOf(coder, { ...backup, program: null }, reserve))).toBe('reserve')
    expect(fallbackOf(coder, rosterOf(coder, { ...backup, activeHours: '22:00-07:00' }, reserve))).toBe('reserve')
    expect(fallbackOf(coder, rosterOf(coder, { ...backup, activeHours: '10:00-13:00' }, reserve))).toBe('backup')
  })

  test('an agent has no fallback outside its own active hours', () => {
    expect(fallbackOf({ ...coder, activeHours: '22:00-07:00' }, roster)).toBeNull()
  })

  test('an agent with more permissions is never a fallback', () => {
    const wide = { ...backup, permissions: 'full' } as const
    expect(fallbackOf(coder, rosterOf(coder, wide, reserve))).toBe('reserve')
    expect(fallbackOf(coder, rosterOf(coder, { ...wide, fallback: null }))).toBeNull()
    expect(fallbackOf(coder, rosterOf(coder, { ...backup, tools: ['kanban'], fallback: null }))).toBeNull()
    expect(fallbackOf(coder, rosterOf(coder, { ...backup, harness: 'shell', fallback: null }))).toBeNull()
    expect(fallbackOf({ ...coder, permissions: 'full' }, rosterOf(coder, wide))).toBe('backup')
  })

  test('a card waits if no fallback is free', () => {
    const accounts = ['coder', 'backup', 'reserve'].map(exhausted)
    expect(fallbackOf(coder, roster, stateWith({ accounts }))).toBeNull()
    expect(fallbackOf(coder, rosterOf(coder))).toBeNull()
  })
})

describe('a chain of fallbacks', () => {
  const looping = rosterOf(coder, { ...backup, fallback: 'coder' })

  test('a cycle ends the chain and is reported as a problem', () => {
    expect(fallbacksOf(coder, looping)).toEqual({ names: ['backup'], cycle: ['coder', 'backup', 'coder'] })
    expect(fallbackFaults(coder, looping)).toEqual([
      'The fallbacks of agent coder form a cycle: coder → backup → coder.',
    ])
    const self = { ...coder, fallback: 'coder' }
    expect(fallbackFaults(self, rosterOf(self))).toEqual(['The fallbacks of agent coder form a cycle: coder → coder.'])
  })

  test('a fallback that can never be used is reported as a problem', () => {
    expect(fallbackFaults(coder, rosterOf(coder))).toEqual([
      'The fallback of agent coder is backup, which does not exist.',
    ])
    expect(fallbackFaults(coder, rosterOf(coder, { ...reserve, name: 'backup', permissions: 'full' }))).toEqual([
      'Agent backup may do more than agent coder, so it is never used as its fallback.',
    ])
    expect(fallbackFaults(coder, rosterOf(coder, { ...reserve, name: 'backup', account: 'coder' }))).toEqual([
      'Agent backup uses the same account as agent coder, so it cannot be its fallback.',
    ])
    expect(fallbackFaults(coder, roster)).toEqual([])
    expect(fallbackFaults(reserve, roster)).toEqual([])
  })
})

describe('a card and the fallback of its agent', () => {
  const fallback = findFallback({ agent: coder, role: 'assignee', roster }, stateWith())
  const other = findFallback(
    { agent: coder, role: 'assignee', roster: rosterOf(coder, { ...backup, harness: 'codex' }) },
    stateWith(),
  )
  const work = { phase: 'work', hasWorked: false } as const

  test('the fallback of a card with its own model must run the same program', () => {
    if (fallback === null || other === null) throw new Error('no fallback')
    expect(fitsCard(fallback, sampleTask({ model: 'opus' }), work)).toBe(true)
    expect(fitsCard(other, sampleTask({ model: 'opus' }), work)).toBe(false)
    expect(fitsCard(other, sampleTask(), work)).toBe(true)
  })

  test('a fallback does not review its own work', () => {
    if (fallback === null) throw new Error('no fallback')
    expect(fitsCard(fallback, sampleTask(), { phase: 'review', hasWorked: false })).toBe(true)
    expect(fitsCard(fallback, sampleTask(), { phase: 'review', hasWorked: true })).toBe(false)
    expect(fitsCard(fallback, sampleTask({ assignee: 'backup' }), { phase: 'review', hasWorked: false })).toBe(false)
  })
})
