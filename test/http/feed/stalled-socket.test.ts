import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished, expect, test } from 'vitest'
import { openLiveFeed } from '../../../src/http/feed/live-feed.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import { openTestStore } from '../../helpers/stores.ts'
import { Desk } from '../../storage/desk.ts'

/** More than the buffers of both sockets hold. */
const EVENTS = 40_000
const BATCH = 1_000

test('the connection of a client that stops reading is closed', async () => {
  const desk = await Desk.open(await openTestStore('sqlite'))
  const feed = openLiveFeed(desk.store, { queueBytes: 1_000, lingerMs: 1 })
  onTestFinished(() => feed.stop())
  const listener = getRequestListener(
    (request, { incoming }) => feed.respond(request, { disconnect: () => incoming.socket.destroy() }),
    { overrideGlobalObjects: false },
  )
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  for (let sent = 0; sent < EVENTS && feed.clients > 0; sent += BATCH) {
    const cards = Array.from({ length: BATCH }, () => ({ id: newTaskId(), title: 'x'.repeat(200) }))
    await desk.ok('create', { cards })
  }
  await closed
  expect(feed.clients).toBe(0)
})
