// Tests the live feed of a real `muster up`.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Store } from '../../src/storage/store.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { newCommentId, newTaskId } from '../../src/util/mint.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { readFeed } from '../helpers/feed-reader.ts'
import type { FeedMessage, FeedReader } from '../helpers/feed-reader.ts'
import { startHttpServer } from '../helpers/http-server.ts'
import type { HttpServer } from '../helpers/http-server.ts'
import { openHome, shellCard, untilStatus } from '../helpers/run-cards.ts'
import { person } from '../helpers/sample.ts'
import { ENGINES } from '../helpers/stores.ts'

async function kill({ up }: HttpServer): Promise<void> {
  up.child.kill('SIGKILL')
  await up.ended
}

async function tokenFor(home: TestHome): Promise<string> {
  const { stdout } = await home.runInline('tokens', 'create', 'reader', '--json')
  return (JSON.parse(stdout) as { token: string }).token
}

interface Follow {
  readonly url: string
  readonly token: string
  readonly query?: string
  readonly cursor?: string
}

async function follow({ url, token, query = '', cursor }: Follow): Promise<FeedReader> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await fetch(`${url}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(cursor === undefined ? {} : { 'last-event-id': cursor }) },
    signal: stop.signal,
  })
  expect(response.status).toBe(200)
  return readFeed(response)
}

const comment = async (store: Store, task: TaskId, body = 'A comment.'): Promise<void> => {
  const input = { task, id: newCommentId(), body }
  unwrap(await store.decide({ verb: 'comment', board: 'default', actor: person, input }))
}

const cursorOf = async (store: Store): Promise<string> => (await store.feed(null)).cursor
const idOf = (cursor: string): number => Number(cursor.split(':')[1])

describe('a running server', () => {
  const home = makeTestHome('sqlite', afterAll)
  let token: string
  let url: string
  let port: number

  beforeAll(async () => {
    await home.runInline('init')
    token = await tokenFor(home)
    ;({ url, port } = await startHttpServer(home))
  })

  test('a client sees a card run, with its last output', async () => {
    const reader = await follow({ url, token, query: '?output=1&kinds=created,claimed,completed' })
    const { id } = await shellCard(home, 'echo half; until [ -e go ]; do sleep 0.1; done')
    const begun = await reader.until(({ event }) => event === 'run_output')
    expect(begun.map(({ event, data }) => `${event} ${String(data['kind'])}`)).toEqual([
      'hello hello',
      'message created',
      'message claimed',
      'run_output run_output',
    ])
    expect(begun.at(-1)?.data).toMatchObject({ taskId: id, line: 'half' })
    writeFileSync(home.workspace(id, 'go'), '')
    const rest = await reader.until(({ data }) => data['kind'] === 'completed')
    expect(rest.at(-1)).toMatchObject({ event: 'message', data: { taskId: id } })
    await untilStatus(home, id, 'done')
  })

  test('a ticket opens one stream without headers', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const made = await fetch(`${url}/api/events/tickets`, { method: 'POST', headers })
    expect(made.status).toBe(201)
    const { ticket } = (await made.json()) as { ticket: string }
    const stream = await fetch(`${url}/api/events?ticket=${ticket}`)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const reader = readFeed(stream)
    expect(await reader.next()).toMatchObject({ event: 'hello' })
    await reader.cancel()
    for (const address of [`?ticket=${ticket}`, '?ticket=', '']) {
      const refused = await fetch(`${url}/api/events${address}`)
      expect(refused.status).toBe(401)
      await refused.text()
    }
    const elsewhere = await fetch(`${url}/api/tasks?ticket=${ticket}`)
    expect(elsewhere.status).toBe(401)
    await elsewhere.text()
  })

  test('a client that stops reading does not delay other clients', async () => {
    const { id } = await home.create('A card')
    const store = await home.store()
    const socket = connectSocket({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    const reader = await follow({ url, token })
    await reader.next()
    for (let count = 0; count < 300; count += 1) await comment(store, id, 'x')
    const last = await cursorOf(store)
    const seen = await reader.until((message) => message.id === last)
    expect(seen.length).toBeGreaterThanOrEqual(300)
    socket.destroy()
    await closed
  })
})

/** Whether to run the test at full size, with `npm run prove -- live-feed`. */
const IS_FULL = process.env['MUSTER_TEST_LIVE_FEED'] === 'full'
const SIZE = IS_FULL
  ? { engines: ENGINES, clients: 50, eventsPerSecond: 600, leastRate: 500, restarts: 2, eventsBetween: 500 }
  : { engines: ['sqlite'] as const, clients: 12, eventsPerSecond: 500, leastRate: 0, restarts: 1, eventsBetween: 60 }

/**
 * Creates cards until the signal aborts. If it is late, several cards share one transaction. Returns the rate that was
 * reached.
 */
async function writeSteadily(store: Store, eventsPerSecond: number, over: AbortSignal): Promise<number> {
  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  let count = 0
  while (!over.aborted) {
    const due = Math.min(Math.ceil(seconds() * eventsPerSecond) - count, MOST_CARDS)
    if (due <= 0) await sleep(1)
    else await createCards(store, due)
    count += Math.max(due, 0)
  }
  return count / seconds()
}

const MOST_CARDS = 100

async function createCards(store: Store, count: number): Promise<void> {
  const cards = Array.from({ length: count }, () => ({ id: newTaskId(), title: 'A card' }))
  unwrap(await store.decide({ verb: 'create', board: 'default', actor: person, input: { cards } }))
}

interface Seen {
  readonly messages: FeedMessage[]
  readonly start: string
  connections: number
}

describe.each(SIZE.engines)('a server that is killed and restarted (%s)', (engine) => {
  test('no client misses an event or gets an event twice, and a restore makes every client read again', async () => {
    const home = await openHome(engine)
    const token = await tokenFor(home)
    const { id } = await shellCard(home, 'true')
    const store = await home.store()
    const backup = engine === 'sqlite' ? await home.runInline('backup', 'create', '--json') : null
    const flags = ['--no-dispatch']
    let server = await startHttpServer(home, { flags })
    const { url, port } = server
    const start = await cursorOf(store)
    const over = new AbortController()
    onTestFinished(() => over.abort())

    /** Reconnects with the last id until the test is over, as a browser does. */
    const followForever = async (seen: Seen): Promise<void> => {
      let cursor = seen.start
      while (!over.signal.aborted) {
        try {
          const reader = await follow({ url, token, cursor })
          seen.connections += 1
          for (let message = await reader.next(); message !== null; message = await reader.next()) {
            cursor = reader.lastEventId
            if (message.event !== 'hello') seen.messages.push(message)
          }
        } catch {
          await sleep(20)
        }
      }
    }
    const clients = Array.from({ length: SIZE.clients }, (): Seen => ({ messages: [], start, connections: 0 }))
    const following = clients.map(followForever)
    const allSaw = async (last: string): Promise<void> => {
      await expect.poll(() => clients.filter(({ messages }) => messages.at(-1)?.id !== last).length).toBe(0)
    }
    const connectedAgain = async (times: number): Promise<void> => {
      await expect.poll(() => clients.filter(({ connections }) => connections < times).length).toBe(0)
    }

    await connectedAgain(1)
    const written = new AbortController()
    const writing = writeSteadily(store, SIZE.eventsPerSecond, written.signal)
    for (let times = 1; times <= SIZE.restarts; times += 1) {
      await expect.poll(() => clients[0]?.messages.length).toBeGreaterThan(SIZE.eventsBetween * times)
      await kill(server)
      server = await startHttpServer(home, { flags, port })
      await connectedAgain(times + 1)
    }
    written.abort()
    const rate = await writing
    if (IS_FULL) console.log(`${SIZE.clients} clients, ${Math.round(rate)} events/s (${engine})`)
    expect(rate).toBeGreaterThan(SIZE.leastRate)
    const end = await cursorOf(store)
    await allSaw(end)
    const expected = Array.from({ length: idOf(end) - idOf(start) }, (_, at) => idOf(start) + 1 + at)
    for (const { messages } of clients) expect(messages.map((message) => idOf(message.id ?? ''))).toEqual(expected)

    if (backup === null) return
    const { name } = JSON.parse(backup.stdout) as { name: string }
    expect(await home.muster('backup', 'restore', name, '--yes')).toMatchObject({ code: 0 })
    const restored = await cursorOf(store)
    await allSaw(restored)
    for (const { messages } of clients)
      expect(messages.slice(expected.length)).toMatchObject([{ event: 'resync', data: { reason: 'restored' } }])
    await comment(store, id)
    await allSaw(await cursorOf(store))
    over.abort()
    await kill(server)
    await Promise.all(following)
  })
})
