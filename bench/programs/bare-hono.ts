/** A server with one hono route that answers with a card as JSON. The card comes from standard input. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const card = JSON.parse(await text(process.stdin)) as Record<string, unknown>
const app = new Hono()
app.get('/card', (c) => c.json(card))
const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
