/** The HTTP server of `muster up`. When it stops, it first ends all streams and finishes the open requests. */
import { getRequestListener } from '@hono/node-server'
import { createServer } from 'node:http'
import type { Server, ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { BoardError } from '../core/errors.ts'
import type { RunningServer, ServeAddress, ServeTarget } from '../operations/machine/server-port.ts'
import { readFile } from '../util/guarded-files.ts'
import { newToken } from '../util/mint.ts'
import { systemReason } from '../util/system-errors.ts'
import { makeApp } from './app.ts'
import { BodyBudget } from './body-budget.ts'
import { removeAbandonedUploads } from './files/upload.ts'
import { listen } from './listen.ts'
import type { HttpParts } from './parts.ts'
import { isLoopback, placeOf } from './place.ts'
import { removeServerFile, writeServerFile } from './server-file.ts'
import { Attempts } from './sign-in/attempts.ts'
import { Links } from './sign-in/links.ts'
import { OpenStreams } from './sign-in/open-streams.ts'
import { readSite } from './site/read-site.ts'

type Listener = ReturnType<typeof getRequestListener>

export async function startServer(
  target: ServeTarget,
  address: ServeAddress,
  siteFolder: string,
): Promise<RunningServer> {
  requireProtected(address)
  const site = await readSite(siteFolder)
  const { home, requestHeadersMs, requestBodyMs, requestConnections } = target.options
  let answer: Listener = async () => {}
  // The app needs the port, which is known only after the server listens. So the app is created after the server.
  const server = await makeServer(address, { requestHeadersMs, requestBodyMs })
  server.maxConnections = requestConnections
  server.on('request', (incoming, outgoing) => void answer(incoming, outgoing))
  const { port, notice } = await listen(server, address, home)
  // An error that occurs when a connection is accepted must not end the process, which also runs cards.
  server.on('error', () => {})
  const stopping = new AbortController()
  const place = placeOf({ scheme: address.tls === null ? 'http' : 'https', host: address.host, port })
  const key = newToken()
  const links = new Links(key)
  const parts: HttpParts = {
    target,
    place,
    links,
    attempts: new Attempts(),
    bodies: new BodyBudget(),
    streams: new OpenStreams(target.store),
    site,
    key,
    usedAt: new Map(),
    stopping: stopping.signal,
  }
  answer = getRequestListener(makeApp(parts).fetch, {
    overrideGlobalObjects: false,
  })
  await removeAbandonedUploads(home, Date.now())
  await writeServerFile(home, { url: place.url, pid: process.pid, key })
  return {
    url: place.url,
    notice,
    makeLink: () => links.newLink(place),
    stop: async () => {
      if (stopping.signal.aborted) return
      stopping.abort()
      await closeServer(server, target.options.requestDrainMs)
      await removeServerFile(home, process.pid)
    },
  }
}

function requireProtected({ host, tls, insecure }: ServeAddress): void {
  if (isLoopback(host) || tls !== null || insecure) return
  throw new BoardError(
    'invalid_input',
    `${host} can be reached from other machines, which could then read every request. Add --cert and --key, or --insecure-http if the network is trusted.`,
    { details: { field: 'host' } },
  )
}

async function makeServer(
  { tls }: ServeAddress,
  { requestHeadersMs, requestBodyMs }: Record<'requestHeadersMs' | 'requestBodyMs', number>,
): Promise<Server> {
  const options: ServerOptions = {
    headersTimeout: requestHeadersMs,
    requestTimeout: requestBodyMs,
    // By default, Node looks for slow clients only every 30 s, which is longer than some limits here.
    connectionsCheckingInterval: Math.min(1_000, requestHeadersMs),
  }
  return tls === null ? createServer(options) : createTlsServer({ ...options, ...(await readPair(tls)) })
}

async function readPair({ cert, key }: NonNullable<ServeAddress['tls']>): Promise<{ cert: Buffer; key: Buffer }> {
  const read = async (path: string): Promise<Buffer> => {
    try {
      return await readFile(path)
    } catch (error) {
      throw new BoardError('invalid_input', `${path} cannot be read (${systemReason(error)}).`, { cause: error })
    }
  }
  return { cert: await read(cert), key: await read(key) }
}

/** Closes the server after the open requests are answered. It does not wait for clients that stopped reading. */
async function closeServer(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  server.closeIdleConnections()
  await closed
  clearTimeout(timer)
}
