import { describe, expect, test } from 'vitest'
import { actorName, actorRun, mayChange, opensGates } from '../../src/core/actor.ts'
import { card, clockwork, orchestrator, person, runOf, sampleTask, worker } from '../helpers/sample.ts'

const own = worker(card('a'), runOf('now'))

describe('an actor', () => {
  test('names of programs have a prefix, and names of people do not', () => {
    expect([person, orchestrator, own, clockwork].map(actorName)).toEqual([
      'ada',
      'agent:planner',
      'agent:coder',
      'muster:dispatcher',
    ])
  })

  test('only people and orchestrators can open human gates', () => {
    expect([person, orchestrator, own, clockwork].map(opensGates)).toEqual([true, true, false, false])
  })

  test('only an agent inside a run has a run id', () => {
    expect([person, orchestrator, own, clockwork].map(actorRun)).toEqual([null, null, runOf('now'), null])
  })
})

describe('a worker', () => {
  test('a worker may change its own card only while its run owns it', () => {
    expect(mayChange(own, sampleTask({ status: 'running', currentRunId: runOf('now') }))).toBe(true)
    expect(mayChange(own, sampleTask({ status: 'running', currentRunId: runOf('next') }))).toBe(false)
    expect(mayChange(own, sampleTask())).toBe(false)
  })

  test('a worker may change only cards that its run created', () => {
    expect(mayChange(own, sampleTask({ id: card('b'), createdByRun: runOf('now') }))).toBe(true)
    expect(mayChange(own, sampleTask({ id: card('b'), createdByRun: runOf('other') }))).toBe(false)
    expect(mayChange(person, sampleTask({ id: card('b') }))).toBe(true)
  })
})
