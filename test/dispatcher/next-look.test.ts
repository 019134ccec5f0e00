import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { msToNextLook } from '../../src/dispatcher/next-look.ts'
import { person } from '../helpers/sample.ts'
import { openDispatch } from './dispatch-context.ts'

const address = { board: 'default', actor: person } as const

test('an idle dispatcher makes its next pass at the sweep interval', async () => {
  const { context } = await openDispatch()
  expect(await msToNextLook(context)).toBe(context.options.sweepMs)
})

test('the next pass comes when a pause of an agent, board or account ends', async () => {
  const { context, store, pass } = await openDispatch()
  const now = await store.now()
  const pause = async (kind: 'agent' | 'board', name: string, ms: number) =>
    unwrap(await store.decide({ ...address, verb: 'pause', input: { kind, name, reason: null, until: now + ms } }))
  await pause('agent', 'shell', 3_000)
  expect(await msToNextLook(context)).toBe(3_000)
  await pause('board', 'default', 2_000)
  expect(await msToNextLook(context)).toBe(2_000)
  const account = { account: 'team', cause: 'person', reason: 'lunch', until: now + 1_000 } as const
  unwrap(await store.decide({ ...address, verb: 'pause_account', input: account }))
  expect(await msToNextLook(context)).toBe(1_000)
  await pass(2_000)
  expect(await msToNextLook(context)).toBe(1_000)
  await pass(1_000)
  expect(await msToNextLook(context)).toBe(context.options.sweepMs)
})

test('the next pass comes when a card becomes due, and overdue cards cause no earlier pass', async () => {
  const { context, store, create, pass } = await openDispatch()
  const [card] = (await create(1)) as [TaskId]
  const at = (await store.now()) + 500
  unwrap(await store.decide({ ...address, verb: 'schedule', input: { task: card, at, reason: null } }))
  expect(await msToNextLook(context)).toBe(500)
  await pass(500)
  expect(await msToNextLook(context)).toBe(context.options.sweepMs)
})
