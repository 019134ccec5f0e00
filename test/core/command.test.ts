import { describe, expect, test } from 'vitest'
import { derivePatch, prepareCommand, unwrap } from '../../src/core/command.ts'
import type { Command } from '../../src/core/command.ts'
import type { AnyVerb } from '../../src/core/decision.ts'
import { BoardError } from '../../src/core/errors.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { HOUR, MINUTE, NOON, card, commentOf, person, sampleBoard, sampleRun, sampleTask } from '../helpers/sample.ts'

const fault = (verb: string, input: unknown): BoardError => {
  const prepared = prepareCommand(
    { verb, board: 'main', actor: person, input } as Command,
    (VERBS as Record<string, AnyVerb>)[verb],
  )
  return prepared instanceof BoardError ? prepared : expect.unreachable('it was prepared')
}

describe('a command', () => {
  test('a command with an unknown verb is a usage error', () => {
    expect(fault('fly', {})).toMatchObject({ code: 'invalid_input' })
  })

  test('the error for invalid input names the field and the problem', () => {
    const error = fault('create', { cards: [{ id: card('a'), title: '   ' }] })
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('title must not be blank.')
    expect(error.details).toEqual({ field: 'title', verb: 'create' })
  })

  test('text that cannot be stored has its own error code', () => {
    expect(fault('unblock', { task: card('a'), answer: { id: commentOf(1), text: 'a\0b' } }).code).toBe('bad_text')
    expect(fault('hold', { task: card('a'), reason: '\ud83d' }).code).toBe('bad_text')
  })

  test('a command with a bad card id is refused', () => {
    expect(fault('wake', { task: 'card-1' }).message).toBe('task is not a card id.')
  })

  test('a time after the last possible date is refused', () => {
    expect(fault('schedule', { task: card('a'), at: 9e15 }).details).toMatchObject({ field: 'at' })
  })

  test('preparing a command fills in the defaults', () => {
    const prepared = prepareCommand(
      { verb: 'promote', board: 'main', actor: person, input: { task: card('a') } },
      VERBS.promote,
    )
    expect(prepared).toMatchObject({ input: { task: card('a'), force: false, answer: null } })
  })
})

describe('an outcome', () => {
  test('unwrapping an outcome returns the result or throws the refusal', () => {
    expect(unwrap({ ok: true, result: 7, now: NOON })).toBe(7)
    const error = new BoardError('cycle', 'Round and round.')
    expect(() => unwrap({ ok: false, error })).toThrow(error)
  })
})

describe('derived columns', () => {
  const context = { run: null, board: sampleBoard(), now: NOON + HOUR }

  test('a patch derives the due time and the time of change', () => {
    expect(derivePatch(sampleTask(), { cooldownUntil: NOON + 2 * HOUR }, context)).toEqual({
      cooldownUntil: NOON + 2 * HOUR,
      dueAt: NOON + 2 * HOUR,
      updatedAt: NOON + HOUR,
    })
  })

  test('a new priority derives a new rank', () => {
    expect(derivePatch(sampleTask(), { priority: 2 }, context).rank).toBe(NOON - 30 * MINUTE)
    expect(derivePatch(sampleTask(), { held: true }, context)).not.toHaveProperty('rank')
  })

  test('an empty patch derives only the due time', () => {
    const waited = sampleTask({ cooldownUntil: NOON, dueAt: NOON })
    expect(derivePatch(waited, {}, context)).toEqual({ dueAt: null })
  })

  test('the due time of a running card comes from its run', () => {
    const run = sampleRun({ leaseUntil: NOON + 3 * HOUR })
    expect(derivePatch(sampleTask(), { status: 'running' }, { ...context, run }).dueAt).toBe(NOON + 3 * HOUR)
  })
})
