import { on, once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished, expect, test } from 'vitest'
import { openLiveFeed } from '../../../src/http/feed/live-feed.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import { readFeed } from '../../helpers/feed-reader.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

/**
 * The number of events. They are far more than the buffers of both sockets hold, so that the test ends even if the
 * client is never dropped.
 */
const EVENTS = 20_000
const BATCH = 100

test('the connection of a client that stops reading is closed', async () => {
  const desk = await Desk.open(await openTestStore('sqlite'))
  const feed = openLiveFeed(desk.store, { queueBytes: 1_000, lingerMs: 1, heartbeatMs: 5 })
  onTestFinished(() => feed.stop())
  const listener = getRequestListener(
    (request, { incoming }) => feed.respond(request, { disconnect: () => incoming.socket.destroy() }),
    { overrideGlobalObjects: false },
  )
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  // The socket is a Unix socket, whose buffers hold a few hundred kilobytes. The buffers of a TCP socket grow to
  // several megabytes.
  const path = join(testFolder(), 's')
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const socket = connect(path)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // The first heartbeat shows that the client follows new events. Before that, the client reads the past at its own
  // speed.
  for await (const [piece] of on(socket, 'data') as AsyncIterable<[Buffer]>) if (piece.includes('\n:')) break
  socket.pause()
  // Another client shows that a batch has been sent. Without this client, the loop would never let the server write.
  const quick = readFeed(await feed.respond(new Request('http://localhost/api/events')))
  for (let sent = 0; sent < EVENTS && feed.clients === 2; sent += BATCH) {
    const cards = Array.from({ length: BATCH }, () => ({ id: newTaskId(), title: 'x'.repeat(200) }))
    await desk.ok('create', { cards })
    await quick.until(({ data }) => data['taskId'] === cards.at(-1)?.id)
  }
  expect(feed.clients).toBe(1)
  await closed
})
