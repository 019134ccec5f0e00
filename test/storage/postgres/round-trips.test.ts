/** What a decision costs over a network: round trips first, then statements. */
import { expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/storage/open.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { card, clockwork, commentOf, identity, runOf } from '../../helpers/sample.ts'
import { startSlowProxy } from '../../helpers/slow-proxy.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../desk.ts'
import type { Claimed } from '../desk.ts'

const MOST = 3
/** A statement that is new to a connection costs a round trip more, so the first rounds only warm up. */
const ROUNDS = 2

type Decisions = (name: string) => AsyncGenerator<readonly [string, () => Promise<unknown>]>

/** One decision of each kind, in an order that makes sense for the cards of one round. */
const decisions = (desk: Desk): Decisions =>
  async function* (name) {
    const [parent, child, other] = [`p${name}`, `c${name}`, `o${name}`]
    const id = (letter: string): TaskId => card(letter)
    yield ['create', () => desk.card(parent)]
    yield ['create with a parent', () => desk.card(child, { parents: [id(parent)] })]
    yield ['create alone', () => desk.card(other)]
    yield ['comment', () => desk.ok('comment', { task: id(other), id: commentOf(name), body: 'Hello.' })]
    yield ['edit', () => desk.ok('edit', { task: id(other), set: { title: 'Another' } })]
    yield ['link', () => desk.ok('link', { parent: id(other), child: id(child) })]
    yield ['unlink', () => desk.ok('unlink', { parent: id(other), child: id(child) })]
    let claimed: Claimed | null = null
    const own = (): Claimed => {
      if (claimed === null) throw new Error('nothing was claimed')
      return claimed
    }
    yield [
      'claim',
      async () => {
        claimed = await desk.claim(id(parent))
      },
    ]
    yield ['register', () => desk.ok('register', { ...own(), identity: identity(7) }, clockwork)]
    yield ['renew', () => desk.store.renewLease('main', own().fence)]
    yield ['verdict', () => desk.verdict(own(), { kind: 'complete', summary: 'Done.' })]
    yield ['settle, which frees a child', () => desk.settle(own())]
    yield ['reopen, which stops a child', () => desk.ok('reopen', { task: id(parent) })]
    yield ['forced promote', () => desk.ok('promote', { task: id(child), force: true })]
    yield ['complete', () => desk.complete(id(parent))]
    yield ['archive', () => desk.ok('archive', { task: id(parent) })]
    yield ['unarchive', () => desk.ok('unarchive', { task: id(parent) })]
    yield ['delete', () => desk.ok('delete', { task: id(parent) })]
    yield ['undelete', () => desk.ok('undelete', { task: id(parent) })]
    yield ['hold', () => desk.ok('hold', { task: id(other) })]
    yield ['release', () => desk.ok('release', { task: id(other) })]
    yield [
      'block',
      () => desk.ok('block', { task: id(other), runId: runOf(name), kind: 'needs_input', reason: 'Which port?' }),
    ]
    yield ['unblock', () => desk.ok('unblock', { task: id(other) })]
    yield [
      'claim again',
      async () => {
        claimed = await desk.claim(id(other))
      },
    ]
    yield ['settle', () => desk.settle(own(), { verdict: { kind: 'complete', summary: 'Done.' } })]
    yield ['read a card', () => desk.store.task('main', id(other))]
    yield ['read the feed', () => desk.store.feed(null)]
  }

it(`a decision takes at most ${MOST} round trips, claim and settlement included`, async () => {
  const test = await openTestStore('postgres')
  if (test.location.engine !== 'postgres') throw new Error('not a server')
  const proxy = await startSlowProxy(inject('postgresUrl'))
  const store = await openStore({ ...test.location, url: proxy.url }, { mode: 'write' })
  onTestFinished(() => store.close())
  const desk = (await Desk.open(test)).through(store)
  const counted = new Map<string, number>()
  const statements = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round += 1)
    for await (const [name, decide] of decisions(desk)(String(round))) {
      await proxy.quiet()
      const before = { trips: proxy.roundTrips(), statements: proxy.statements() }
      await decide()
      counted.set(name, proxy.roundTrips() - before.trips)
      statements.set(name, proxy.statements() - before.statements)
    }
  const over = [...counted].filter(([, trips]) => trips > MOST)
  expect(over).toEqual([])
  expect(counted.get('claim')).toBe(2)
  expect(counted.get('settle')).toBe(2)
  expect(counted.get('settle, which frees a child')).toBe(3)
  // Each has `begin` and `commit`, one statement for locks, one for other rows and facts, and one for writes and events.
  // A claim has one more, which locks its slots.
  expect(statements.get('claim')).toBeLessThanOrEqual(6)
  expect(statements.get('settle')).toBeLessThanOrEqual(5)
  expect(counted.get('read a card')).toBeLessThanOrEqual(2)
})
