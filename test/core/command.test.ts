import { describe, expect, test } from 'vitest'
import { derivePatch, prepare, unwrap } from '../../src/core/command.ts'
import type { Command } from '../../src/core/command.ts'
import type { AnyVerb } from '../../src/core/decision.ts'
import { BoardError } from '../../src/core/errors.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { HOUR, MINUTE, NOON, card, commentOf, person, sampleBoard, sampleRun, sampleTask } from '../helpers/sample.ts'

const fault = (verb: string, input: unknown): BoardError => {
  const prepared = prepare(
    { verb, board: 'main', actor: person, input } as Command,
    (VERBS as Record<string, AnyVerb>)[verb],
  )
  return prepared instanceof BoardError ? prepared : expect.unreachable('it was prepared')
}

describe('a command', () => {
  test('with an unknown verb is a usage error', () => {
    expect(fault('fly', {})).toMatchObject({ code: 'invalid_input' })
  })

  test('with a faulty input names the field and what is wrong with it', () => {
    const error = fault('create', { cards: [{ id: card('a'), title: '   ' }] })
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('title must not be blank.')
    expect(error.details).toEqual({ field: 'title', verb: 'create' })
  })

  test('with a text that cannot be stored has its own code', () => {
    expect(fault('unblock', { task: card('a'), answer: { id: commentOf(1), text: 'a\0b' } }).code).toBe('bad_text')
    expect(fault('hold', { task: card('a'), reason: '\ud83d' }).code).toBe('bad_text')
  })

  test('with a bad card id is refused before anything is read', () => {
    expect(fault('wake', { task: 'card-1' }).message).toBe('task is not a card id.')
  })

  test('for a time that no calendar knows is refused', () => {
    expect(fault('schedule', { task: card('a'), at: 9e15 }).details).toMatchObject({ field: 'at' })
  })

  test('is prepared with its defaults filled in', () => {
    const prepared = prepare(
      { verb: 'promote', board: 'main', actor: person, input: { task: card('a') } },
      VERBS.promote,
    )
    expect(prepared).toMatchObject({ input: { task: card('a'), force: false, answer: null } })
  })
})

describe('an outcome', () => {
  test('unwraps to its result, or throws its refusal', () => {
    expect(unwrap({ ok: true, result: 7, now: NOON })).toBe(7)
    const error = new BoardError('cycle', 'Round and round.')
    expect(() => unwrap({ ok: false, error })).toThrow(error)
  })
})

describe('derived columns', () => {
  const around = { run: null, board: sampleBoard(), now: NOON + HOUR }

  test('is when to look again, and when it changed', () => {
    expect(derivePatch(sampleTask(), { cooldownUntil: NOON + 2 * HOUR }, around)).toEqual({
      cooldownUntil: NOON + 2 * HOUR,
      dueAt: NOON + 2 * HOUR,
      updatedAt: NOON + HOUR,
    })
  })

  test('is the rank when the priority changes', () => {
    expect(derivePatch(sampleTask(), { priority: 2 }, around).rank).toBe(NOON - 30 * MINUTE)
    expect(derivePatch(sampleTask(), { held: true }, around)).not.toHaveProperty('rank')
  })

  test('is only a new look when nothing changes', () => {
    const waited = sampleTask({ cooldownUntil: NOON, dueAt: NOON })
    expect(derivePatch(waited, {}, around)).toEqual({ dueAt: null })
  })

  test('comes from the open run while the card runs', () => {
    const run = sampleRun({ leaseUntil: NOON + 3 * HOUR })
    expect(derivePatch(sampleTask(), { status: 'running' }, { ...around, run }).dueAt).toBe(NOON + 3 * HOUR)
  })
})
