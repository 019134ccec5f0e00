/** Starts the HTTP server on a real port, in the process of the test. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { startServer } from '../../src/http/server.ts'
import type { RunningServer, ServeAddress } from '../../src/operations/machine/server-port.ts'
import { openHttp } from './http.ts'
import type { HttpTest } from './http.ts'

/** The built dashboard. */
const SITE = fileURLToPath(new URL('../../dist/web', import.meta.url))

export interface ListeningServer extends Pick<HttpTest, 'test' | 'tokenFor' | 'ask'> {
  readonly url: string
  readonly port: number
  readonly makeLink: RunningServer['makeLink']
}

/** Starts the server, by default on loopback. A host for other machines needs `insecure` or `tls`. */
export async function listen(address: Partial<ServeAddress> = {}): Promise<ListeningServer> {
  const { parts, test, tokenFor, ask } = await openHttp()
  mkdirSync(join(parts.target.options.home, 'servers'), { recursive: true })
  const where = { host: '127.0.0.1', port: 0, tls: null, insecure: false, ...address }
  const { url, makeLink, stop } = await startServer(parts.target, where, SITE)
  onTestFinished(stop)
  return { test, tokenFor, ask, url, port: Number(new URL(url).port), makeLink }
}
