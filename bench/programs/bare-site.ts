/** Serves the pages that the dashboard is compared with: a bare React board, and events that become text. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { build } from 'esbuild'
import type { LiveFeed } from '../../src/http/feed/live-feed.ts'

const page = (script: string): string => `<!doctype html><html lang="en"><body><script type="module">${script}</script>`

/** Shows the title that an event carries as soon as it arrives. */
const EVENTS = page(`new EventSource('/events').onmessage = ({ data }) => {
  document.body.textContent = JSON.parse(data).data.fields ?? data
  requestAnimationFrame(() => (globalThis.shown ??= []).push(Date.now()))
}`)

export interface BareSite {
  readonly url: string
  stop(): Promise<void>
}

export async function startBareSite(board: string, feed: LiveFeed): Promise<BareSite> {
  const { outputFiles } = await build({
    entryPoints: ['bench/programs/bare-page.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url === '/events') {
      void feed.respond(new Request('http://localhost/api/events')).then((answer) => {
        response.writeHead(200, Object.fromEntries(answer.headers))
        if (answer.body !== null) Readable.fromWeb(answer.body as never).pipe(response)
      })
      return
    }
    const [type, body] =
      url === '/board.json'
        ? ['application/json', board]
        : url === '/page.js'
          ? ['text/javascript', script]
          : ['text/html', url === '/live' ? EVENTS : page('await import("/page.js")')]
    response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
