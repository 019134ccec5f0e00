import { describe, expect, test } from 'vitest'
import { actorName, actorRun, mayChange, opensGates } from '../../src/core/actor.ts'
import { card, clockwork, orchestrator, person, runOf, sampleTask, worker } from '../helpers/sample.ts'

const own = worker(card('a'), runOf('now'))

describe('an actor', () => {
  test('is named so that a program never passes for a person', () => {
    expect([person, orchestrator, own, clockwork].map(actorName)).toEqual([
      'ada',
      'agent:planner',
      'agent:coder',
      'muster:dispatcher',
    ])
  })

  test('opens human gates only as a person or an orchestrator', () => {
    expect([person, orchestrator, own, clockwork].map(opensGates)).toEqual([true, true, false, false])
  })

  test('leaves the run it acts from on what it creates', () => {
    expect([person, orchestrator, own, clockwork].map(actorRun)).toEqual([null, null, runOf('now'), null])
  })
})

describe('a worker', () => {
  test('may change its own card only while its run owns the card', () => {
    expect(mayChange(own, sampleTask({ status: 'running', currentRunId: runOf('now') }))).toBe(true)
    expect(mayChange(own, sampleTask({ status: 'running', currentRunId: runOf('next') }))).toBe(false)
    expect(mayChange(own, sampleTask())).toBe(false)
  })

  test('may change the cards that its run created and no other', () => {
    expect(mayChange(own, sampleTask({ id: card('b'), createdByRun: runOf('now') }))).toBe(true)
    expect(mayChange(own, sampleTask({ id: card('b'), createdByRun: runOf('other') }))).toBe(false)
    expect(mayChange(person, sampleTask({ id: card('b') }))).toBe(true)
  })
})
