import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { msToNextLook } from '../../src/dispatcher/next-look.ts'
import { previewPass } from '../../src/dispatcher/preview.ts'
import { tick } from '../../src/dispatcher/tick.ts'
import { localHours } from '../helpers/local-hours.ts'
import { person } from '../helpers/sample.ts'
import { countingClaims, openDispatch, storeWith } from './dispatch-context.ts'
import type { TestDispatch } from './dispatch-context.ts'

const HOUR = 3_600_000

const setHours = async ({ store }: TestDispatch, activeHours: string | null): Promise<void> => {
  unwrap(
    await store.decide({ verb: 'set_board', board: 'default', actor: person, input: { settings: { activeHours } } }),
  )
}

test('cards of an inactive board wait unclaimed until it becomes active', async () => {
  const board = await openDispatch()
  const { context } = board
  await board.create(3)
  const now = await board.store.now()
  const { text, from } = localHours(now + HOUR / 2, now + HOUR)
  await setHours(board, text)
  const counting = countingClaims(board.store)
  const watchful = { ...context, store: counting.store, options: { ...context.options, sweepMs: 24 * HOUR } }
  const report = await tick(watchful)
  const waits = {
    reason: { code: 'outside_hours', params: { of: 'board', name: 'default', hours: text }, until: from },
  }
  expect(report).toMatchObject({ started: [], deferred: Array(3).fill(waits) })
  expect(counting.claims()).toBe(0)
  expect(await msToNextLook(watchful)).toBe(from - (await board.store.now()))
  expect((await previewPass(context)).deferred).toMatchObject(Array(3).fill(waits))
  await board.pass(from - (await board.store.now()))
  expect((await previewPass(context)).started).toHaveLength(3)
})

test('the active hours of an agent defer only its own cards', async () => {
  const board = await openDispatch()
  const { context, store } = board
  const now = await store.now()
  mkdirSync(join(context.options.home, 'agents'))
  const { text, from } = localHours(now + HOUR, now + 2 * HOUR)
  writeFileSync(
    join(context.options.home, 'agents', 'nightly.md'),
    `---\nharness: shell\nactiveHours: "${text}"\n---\n`,
  )
  const [late] = await board.create(1, { assignee: 'nightly' })
  const [soon] = await board.create(1)
  expect(await previewPass(context)).toMatchObject({
    started: [{ id: soon }],
    deferred: [{ id: late, reason: { code: 'outside_hours', params: { of: 'agent', name: 'nightly' }, until: from } }],
  })
})

test('a claim outside the active hours is refused in its transaction', async () => {
  const board = await openDispatch()
  const { context, store } = board
  await board.create(1)
  const now = await store.now()
  const { text } = localHours(now + HOUR, now + 2 * HOUR)
  let isSet = false
  // The active hours change after the lane is read and before the claim.
  const changing = storeWith(store, {
    decide: async (command) => {
      if (command.verb === 'claim' && !isSet) {
        isSet = true
        await setHours(board, text)
      }
      return store.decide(command)
    },
  })
  const report = await tick({ ...context, store: changing })
  expect(report).toMatchObject({ started: [], deferred: [{ reason: { code: 'outside_hours' } }] })
})
