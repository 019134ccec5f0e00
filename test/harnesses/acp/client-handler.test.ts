import { expect, test } from 'vitest'
import { ClientHandler } from '../../../src/harnesses/acp/client-handler.ts'

const handler = () =>
  new ClientHandler({ permissions: 'edit', workspace: '/work/space' }, { record: () => {}, print: () => {} })

const spent = (amount: number) => ({
  update: { sessionUpdate: 'usage_update', cost: { amount, currency: 'USD' } },
})

test('of what a session has cost, that of the turn is told', () => {
  const turn = handler()
  turn.update(spent(0.25))
  turn.begin({ isNew: false })
  expect(turn.costUsd).toBe(0)
  turn.update(spent(0.75))
  expect(turn.costUsd).toBe(0.5)
})

test('a session that does not say what it had cost leaves the turn unknown', () => {
  const turn = handler()
  turn.begin({ isNew: false })
  turn.update(spent(0.75))
  expect(turn.costUsd).toBeNull()
})

test('a new session begins with nothing, also where an old one was lost over it', () => {
  const turn = handler()
  turn.update(spent(0.5))
  turn.begin({ isNew: true })
  expect(turn.costUsd).toBeNull()
  turn.update(spent(0.25))
  expect(turn.costUsd).toBe(0.25)
})
