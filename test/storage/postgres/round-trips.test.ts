/** Limits the round trips and statements of a decision over a network. */
import { expect, inject, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/storage/open.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { VERBS } from '../../../src/core/transitions/index.ts'
import type { VerbName } from '../../../src/core/transitions/index.ts'
import { card, clockwork, commentOf, identity, runOf } from '../../helpers/sample.ts'
import { startSlowProxy } from '../../helpers/slow-proxy.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../desk.ts'
import { INPUTS } from '../inputs.ts'
import type { Claimed } from '../desk.ts'

const MOST = 3
/** The maximum number of round trips of rare decisions. */
const MOST_OF_ANY = 4
/** The first round opens connections, which costs extra round trips. */
const ROUNDS = 2
/**
 * The rounds that a decision over the limit gets. On a busy machine, a client may send a batch in two parts, which looks
 * like two round trips, but not in every round.
 */
const ROUNDS_ON_BUSY_MACHINES = 4

type Decisions = (name: string) => AsyncGenerator<readonly [string, () => Promise<unknown>]>

/** One decision of each frequent kind, in an order that is valid for the cards of one round. */
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
    yield* rareDecisions(desk, name)
    yield ['read a card', () => desk.store.task('main', id(other))]
    yield ['read the feed', () => desk.store.feed(null)]
  }

/** Decisions that need more facts: a directory, a shared branch, a review, a sweep, the dispatcher lease. */
async function* rareDecisions(desk: Desk, name: string): ReturnType<Decisions> {
  const [dir, tree, twin, reviewed] = ['d', 't', 'w', 'r'].map((letter) => card(`${letter}${name}`))
  if (!dir || !tree || !twin || !reviewed) throw new Error('there are four cards')
  const shared = { workspace: { kind: 'worktree', repo: `/srv/repo${name}` }, branch: 'work' } as const
  await desk.card(`d${name}`, { workspace: { kind: 'dir', path: `/srv/${name}` } })
  await desk.card(`t${name}`, shared)
  await desk.card(`w${name}`, shared)
  await desk.card(`r${name}`)
  const done = { verdict: { kind: 'complete', summary: 'Done.' } } as const
  const claims = new Map<TaskId, Claimed>()
  const claim =
    (task: TaskId, over: Parameters<Desk['claim']>[1] = {}) =>
    async () => {
      claims.set(task, await desk.claim(task, over))
    }
  const claimOf = (task: TaskId): Claimed => {
    const found = claims.get(task)
    if (found === undefined) throw new Error('nothing was claimed')
    return found
  }
  yield ['claim with a directory', claim(dir, { directory: `/srv/${name}` })]
  yield ['settle with a directory', () => desk.settle(claimOf(dir), done)]
  yield ['claim with a shared branch', claim(tree, { pinned: true })]
  const { fence } = claimOf(tree)
  await desk.ok('register', { task: tree, fence, identity: identity(7) }, clockwork)
  const made = { path: `/w/${name}`, branch: 'work', base: 'c0ffee', baseBranch: 'main' }
  yield ['note_worktree', () => desk.ok('note_worktree', { task: tree, fence, ...made }, clockwork)]
  yield ['heartbeat', () => desk.ok('heartbeat', { task: tree, fence }, clockwork)]
  yield ['settle with a shared branch', () => desk.settle(claimOf(tree), done)]
  yield ['claim of a worktree that another card made', claim(twin, { pinned: true })]
  yield ['settle there', () => desk.settle(claimOf(twin), done)]
  yield ['sweep', () => desk.ok('sweep', { task: tree, stage: 'begin' })]
  yield ['end of the sweep', () => desk.ok('sweep', { task: tree, stage: 'end' })]
  yield ['request_review', () => desk.ok('request_review', { task: reviewed, runId: runOf(`v${name}`) })]
  yield ['claim of a review', claim(reviewed, { agent: 'critic', account: 'acme' })]
  yield [
    'settle of a review',
    () => desk.settle(claimOf(reviewed), { ending: { how: 'interrupted' }, account: 'acme' }),
  ]
  yield [
    'request_changes',
    () => desk.ok('request_changes', { task: reviewed, runId: runOf(`x${name}`), reason: 'Not yet.' }),
  ]
  await desk.ok('request_review', { task: reviewed, runId: runOf(`y${name}`) })
  yield ['approve', () => desk.ok('approve', { task: reviewed, runId: runOf(`z${name}`) })]
  yield ['lead', () => desk.lead()]
}

/** Every verb with every field. Many of these commands are refused, but only after all their facts are read. */
const everyVerb = (desk: Desk): Decisions =>
  async function* () {
    for (const verb of Object.keys(VERBS) as VerbName[]) yield [verb, () => desk.do(verb, INPUTS[verb])]
  }

async function openDesk() {
  const test = await openTestStore('postgres')
  if (test.location.engine !== 'postgres') throw new Error('not a server')
  const proxy = await startSlowProxy(inject('postgresUrl'))
  const store = await openStore({ ...test.location, url: proxy.url }, { mode: 'write' })
  onTestFinished(() => store.close())
  return { proxy, desk: (await Desk.open(test, { reviewer: 'critic' })).through(store) }
}

/** Returns the fewest round trips of each decision after the first round, and the statements in the last round. */
async function measure({ proxy }: Awaited<ReturnType<typeof openDesk>>, decisions: Decisions, most: number) {
  const counted = new Map<string, number>()
  const statements = new Map<string, number>()
  const isOver = (): boolean => [...counted.values()].some((trips) => trips > most)
  for (let round = 0; round < ROUNDS || (isOver() && round < ROUNDS_ON_BUSY_MACHINES); round += 1)
    for await (const [name, decide] of decisions(String(round))) {
      await proxy.quiet()
      const before = { trips: proxy.roundTrips(), statements: proxy.statements() }
      await decide()
      const trips = proxy.roundTrips() - before.trips
      counted.set(name, round < ROUNDS ? trips : Math.min(trips, counted.get(name) ?? trips))
      statements.set(name, proxy.statements() - before.statements)
    }
  return { counted, statements }
}

it(`every verb takes at most ${MOST_OF_ANY} round trips`, async () => {
  const opened = await openDesk()
  await opened.desk.card('a')
  await opened.desk.card('b')
  const { counted } = await measure(opened, everyVerb(opened.desk), MOST_OF_ANY)
  expect([...counted].filter(([, trips]) => trips > MOST_OF_ANY)).toEqual([])
})

it(`a decision takes at most ${MOST} round trips, including claim and settlement`, async () => {
  const opened = await openDesk()
  const { counted, statements } = await measure(opened, decisions(opened.desk), MOST)
  const over = [...counted].filter(([, trips]) => trips > MOST)
  expect(over).toEqual([])
  expect(counted.get('claim')).toBe(2)
  expect(counted.get('settle')).toBe(2)
  expect(counted.get('settle, which frees a child')).toBe(3)
  // The limits include `begin`, `commit`, and one statement for each row, fact and write.
  expect(statements.get('claim')).toBeLessThanOrEqual(18)
  expect(statements.get('settle')).toBeLessThanOrEqual(12)
  expect(counted.get('read a card')).toBeLessThanOrEqual(2)
})
