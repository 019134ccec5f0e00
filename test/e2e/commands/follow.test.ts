// Long-running commands: what they print, how they end, and how they continue from a cursor.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { unwrap } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { followed } from '../../../src/operations/boards/views.ts'
import { makeTestHome } from '../../helpers/cli.ts'
import type { Running, TestHome } from '../../helpers/cli.ts'
import { commentOf, person } from '../../helpers/sample.ts'
import { SURFACE_ENGINES } from '../../helpers/stores.ts'

const lines = z.array(followed)
type Line = z.infer<typeof followed>

/** What was printed so far, whole lines only, read by the schema. */
function eventsOf(output: string): Line[] {
  const whole = output.slice(0, output.lastIndexOf('\n') + 1)
  return lines.parse(whole.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : [])))
}

const kindsOf = (output: string): string[] => eventsOf(output).map(({ kind }) => kind)

/** Somebody else says something about a card. */
async function comment(home: TestHome, task: TaskId, at: number): Promise<void> {
  const store = await home.store()
  const input = { task, id: commentOf(`${task.slice(-4)}${at}`), body: `words ${at}` }
  unwrap(await store.decide({ verb: 'comment', board: 'default', actor: person, input }))
}

const printed = (home: TestHome, running: Running, kinds: readonly string[]): Promise<boolean> =>
  home.until(`it prints ${kinds.join(', ')}`, () => kindsOf(running.output()).join() === kinds.join())

/** It listens once it has told something that happened after its start. */
async function listening(home: TestHome, running: Running, card: TaskId): Promise<void> {
  for (let at = 1; !running.output().includes('commented'); at += 1) {
    await comment(home, card, at)
    await sleep(20)
  }
}

describe.each(SURFACE_ENGINES)('following (%s)', (engine) => {
  test('tail replays, follows, ends with Ctrl-C, and goes on where it ended', async () => {
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

    // Killed in the middle, it goes on from the last line that was read.
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

  test('watch begins now, chooses, and ends when nobody reads any more', async () => {
    const home = makeTestHome(engine)
    const before = await home.create('before', '--assignee', 'coder')
    const watch = home.start(['watch'])
    const chosen = home.start(['watch', '--assignee', 'coder', '--tenant', 'acme', '--kind', 'created,held', '--json'])
    await listening(home, watch, before.id)
    expect(kindsOf(watch.output())).not.toContain('created')

    const mine = await home.create('mine', '--assignee', 'coder', '--tenant', 'acme')
    await home.create('other', '--assignee', 'writer', '--tenant', 'acme')
    await home.until('both were told', () => kindsOf(watch.output()).filter((kind) => kind === 'created').length === 2)
    // It may have begun before or after the first; the second of its own cards it must see.
    const hers = await home.create('hers', '--assignee', 'coder', '--tenant', 'acme')
    await home.until('the chosen one was told', () => chosen.output().includes(hers.id))
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
    await home.until('it says so', () => watch.output().includes('Following from now on'))
    await home.muster('hold', card.id)
    await printed(home, watch, ['resync', 'held'])
    watch.child.kill('SIGINT')
    expect(await watch.ended).toMatchObject({ code: 0 })
  })
})

/** A way to the server that can be cut and mended. While it is cut, nobody answers at all. */
async function makeWay(url: string): Promise<{ url: string; cut(): Promise<void>; mend(): Promise<void> }> {
  const target = new URL(url)
  const server = { port: Number(target.port), host: target.hostname }
  const sockets = new Set<Socket>()
  const way = createServer((near) => {
    const far = connect(server)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const mend = async (port = 0): Promise<number> => {
    way.listen(port, '127.0.0.1')
    await once(way, 'listening')
    return (way.address() as AddressInfo).port
  }
  const cut = async (): Promise<void> => {
    if (!way.listening) return
    way.close()
    for (const socket of sockets) socket.destroy()
    await once(way, 'close')
  }
  const port = await mend()
  onTestFinished(cut)
  target.port = String(port)
  return { url: target.toString(), cut, mend: async () => void (await mend(port)) }
}

test('a server that is away for a while costs no event and repeats none', async () => {
  const home = makeTestHome('postgres')
  const card = await home.create('A')
  const way = await makeWay(home.env['MUSTER_STORE'] ?? '')
  const tail = home.start(['tail', card.id], { env: { MUSTER_STORE: way.url } })
  await printed(home, tail, ['created'])
  await way.cut()
  await comment(home, card.id, 1)
  await home.until('it reports that it retries', () => tail.output().includes('Retrying.'))
  await comment(home, card.id, 2)
  await way.mend()
  await home.until('it has caught up', () => kindsOf(tail.output()).length === 3)
  await comment(home, card.id, 3)
  await printed(home, tail, ['created', 'commented', 'commented', 'commented'])
  tail.child.kill('SIGINT')
  const { code, stderr } = await tail.ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('The store answers again.')])
  expect(stderr.match(/Retrying\./g)).toHaveLength(1)
})
