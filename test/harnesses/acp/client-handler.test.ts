import { expect, test } from 'vitest'
import { ClientHandler } from '../../../src/harnesses/acp/client-handler.ts'

const handler = () =>
  new ClientHandler({ permissions: 'edit', workspace: '/work/space' }, { record: () => {}, print: () => {} })

const spent = (amount: number) => ({
  update: { sessionUpdate: 'usage_update', cost: { amount, currency: 'USD' } },
})

test('the cost of a turn is the increase of the session cost', () => {
  const turn = handler()
  turn.update(spent(0.25))
  turn.begin({ isNew: false })
  expect(turn.costUsd).toBe(0)
  turn.update(spent(0.75))
  expect(turn.costUsd).toBe(0.5)
})

test('the cost of a turn is unknown if the earlier cost of the session is unknown', () => {
  const turn = handler()
  turn.begin({ isNew: false })
  turn.update(spent(0.75))
  expect(turn.costUsd).toBeNull()
})

test('the cost of a new session does not include the session before it', () => {
  const turn = handler()
  turn.update(spent(0.5))
  turn.begin({ isNew: true })
  expect(turn.costUsd).toBeNull()
  turn.update(spent(0.25))
  expect(turn.costUsd).toBe(0.25)
})
