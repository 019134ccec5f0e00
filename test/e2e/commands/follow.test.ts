// Tests the commands that follow events: their output, their end, and how they continue from a cursor.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { unwrap } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { followed } from '../../../src/operations/boards/views.ts'
import { makeTestHome } from '../../helpers/cli.ts'
import type { Running, TestHome } from '../../helpers/cli.ts'
import { startOutageProxy } from '../../helpers/outage-proxy.ts'
import { commentOf, person } from '../../helpers/sample.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

const lines = z.array(followed)
type Line = z.infer<typeof followed>

/** Parses the complete lines that were printed so far with the schema. */
function eventsOf(output: string): Line[] {
  const whole = output.slice(0, output.lastIndexOf('\n') + 1)
  return lines.parse(whole.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : [])))
}

const kindsOf = (output: string): string[] => eventsOf(output).map(({ kind }) => kind)

/** Adds a comment to a card without the CLI. */
async function comment(home: TestHome, task: TaskId, at: number): Promise<void> {
  const store = await home.store()
  const input = { task, id: commentOf(`${task.slice(-4)}${at}`), body: `words ${at}` }
  unwrap(await store.decide({ verb: 'comment', board: 'default', actor: person, input }))
}

const printed = (home: TestHome, running: Running, kinds: readonly string[]): Promise<boolean> =>
  home.until(`it prints ${kinds.join(', ')}`, () => kindsOf(running.output()).join() === kinds.join())

/** Adds comments until the command prints one of them, which proves that the command follows the feed. */
async function listening(home: TestHome, running: Running, card: TaskId): Promise<void> {
  for (let at = 1; !running.output().includes('commented'); at += 1) {
    await comment(home, card, at)
    await sleep(20)
  }
}

describe.each(SURFACE_ENGINES)('following (%s)', (engine) => {
  test('`tail` prints old and new events, ends with Ctrl-C, and continues from a cursor', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('A')
    const tail = home.start(['tail', card.id.slice(0, 8)])
    await printed(home, tail, ['created'])
    await comment(home, card.id, 1)
    await printed(home, tail, ['created', 'commented'])
    tail.child.kill('SIGINT')
    const ended = await tail.ended
    expect([ended.code, ended.stderr]).toEqual([0, ''])

    const other = await home.create('B')
    await comment(home, card.id, 2)
    await comment(home, other.id, 3)
    const since = eventsOf(ended.stdout).at(-1)?.cursor ?? ''
    const rest = await home.muster('tail', card.id, '--since', since, '--no-follow', '--json')
    expect([rest.code, kindsOf(rest.stdout)]).toEqual([0, ['commented']])

    // After a kill, a new tail continues from the last printed line.
    const again = home.start(['tail', card.id])
    await printed(home, again, ['created', 'commented', 'commented'])
    again.child.kill('SIGKILL')
    const cursor = eventsOf((await again.ended).stdout).at(-1)?.cursor ?? ''
    const third = home.start(['tail', card.id, '--since', cursor])
    await comment(home, card.id, 4)
    await printed(home, third, ['commented'])
    third.child.kill('SIGTERM')
    expect(await third.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('`watch` prints new events that match its filters, and ends when its reader closes the pipe', async () => {
    const home = makeTestHome(engine)
    const before = await home.create('before', '--assignee', 'coder')
    const watch = home.start(['watch'])
    await listening(home, watch, before.id)
    const cursor = eventsOf(watch.output()).at(-1)?.cursor ?? ''
    const filters = ['--assignee', 'coder', '--tenant', 'acme', '--kind', 'created,held']
    const chosen = home.start(['watch', '--since', cursor, ...filters, '--json'])
    expect(kindsOf(watch.output())).not.toContain('created')

    const mine = await home.create('mine', '--assignee', 'coder', '--tenant', 'acme')
    await home.create('other', '--assignee', 'writer', '--tenant', 'acme')
    await home.until(
      'both cards are printed',
      () => kindsOf(watch.output()).filter((kind) => kind === 'created').length === 2,
    )
    const hers = await home.create('hers', '--assignee', 'coder', '--tenant', 'acme')
    await home.until('the matching card is printed', () => chosen.output().includes(hers.id))
    const told = new Set(eventsOf(chosen.output()).map((event) => ('taskId' in event ? event.taskId : null)))
    expect([...told].every((id) => id === mine.id || id === hers.id)).toBe(true)

    for (const running of [watch, chosen]) running.child.stdout?.destroy()
    await home.muster('hold', hers.id)
    for (const running of [watch, chosen]) expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('a cursor of another store is reported, and new events follow', async () => {
    const home = makeTestHome(engine)
    const card = await home.create('A')
    const watch = home.start(['watch', '--since', 'ffffff:1'])
    await home.until('it reports the resync', () => watch.output().includes('Following from now on'))
    await home.muster('hold', card.id)
    await printed(home, watch, ['resync', 'held'])
    watch.child.kill('SIGINT')
    expect(await watch.ended).toMatchObject({ code: 0 })
  })
})

test('`tail` misses and repeats no event during a server outage', async () => {
  const home = makeTestHome('postgres')
  const card = await home.create('A')
  const proxy = await startOutageProxy(home.env['MUSTER_STORE'] ?? '')
  onTestFinished(() => proxy.close())
  const tail = home.start(['tail', card.id], { env: { MUSTER_STORE: proxy.url } })
  await printed(home, tail, ['created'])
  proxy.cut()
  await comment(home, card.id, 1)
  await home.until('it reports that it retries', () => tail.output().includes('Retrying.'))
  await comment(home, card.id, 2)
  proxy.restore()
  await home.until('it has caught up', () => kindsOf(tail.output()).length === 3)
  await comment(home, card.id, 3)
  await printed(home, tail, ['created', 'commented', 'commented', 'commented'])
  tail.child.kill('SIGINT')
  const { code, stderr } = await tail.ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('The store answers again.')])
  expect(stderr.match(/Retrying\./g)).toHaveLength(1)
})

test('Ctrl-C ends `tail` at once while the server is stopped', async () => {
  const home = makeTestHome('postgres')
  const card = await home.create('A')
  const proxy = await startOutageProxy(home.env['MUSTER_STORE'] ?? '')
  onTestFinished(() => proxy.close())
  const tail = home.start(['tail', card.id], { env: { MUSTER_STORE: proxy.url } })
  await printed(home, tail, ['created'])
  proxy.freeze()
  // This time is long enough for the next query, which is never answered.
  await sleep(1500)
  const asked = performance.now()
  tail.child.kill('SIGINT')
  expect(await tail.ended).toMatchObject({ code: 0, stderr: '' })
  expect(performance.now() - asked).toBeLessThan(4000)
})
