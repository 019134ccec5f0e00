import { expect, test } from 'vitest'
import { Tickets } from '../../../src/http/feed/tickets.ts'

test('a ticket gives its session only once', () => {
  const tickets = new Tickets<string>()
  const [ada, bob] = [tickets.create('ada'), tickets.create('bob')]
  expect(tickets.redeem(ada)).toBe('ada')
  expect(tickets.redeem(ada)).toBeNull()
  expect(tickets.redeem(bob)).toBe('bob')
})

test('a wrong ticket gives no session and invalidates no other ticket', () => {
  const tickets = new Tickets<string>()
  const ticket = tickets.create('ada')
  expect(tickets.redeem('')).toBeNull()
  expect(tickets.redeem(`${ticket}x`)).toBeNull()
  expect(tickets.redeem(ticket)).toBe('ada')
})

test('a ticket expires after 30 seconds', () => {
  let now = 0
  const tickets = new Tickets<string>(() => now)
  const [early, late] = [tickets.create('ada'), tickets.create('ada')]
  now = 29_999
  expect(tickets.redeem(early)).toBe('ada')
  now = 30_000
  expect(tickets.redeem(late)).toBeNull()
})

test('only the newest thousand tickets are kept', () => {
  const tickets = new Tickets<number>()
  const issued = Array.from({ length: 1_001 }, (_, at) => tickets.create(at))
  expect(tickets.redeem(issued[0] ?? '')).toBeNull()
  expect(tickets.redeem(issued[1] ?? '')).toBe(1)
  expect(tickets.redeem(issued[1_000] ?? '')).toBe(1_000)
})
