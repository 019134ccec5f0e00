/** Starts a hostile server on another port of the same host. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface HostileServer {
  readonly url: string
  /** Returns the cookies of the last request for the page. */
  readonly cookies: () => string
  /** Sets the cookies that the next responses set. */
  readonly toss: (cookies: readonly string[]) => void
}

export async function startHostileServer({ url }: { readonly url: string }): Promise<HostileServer> {
  let cookies = ''
  let tossed: readonly string[] = []
  const server = createServer((request, response) => {
    cookies = request.headers.cookie ?? ''
    const path = request.url ?? ''
    response.setHeader('set-cookie', [...tossed])
    if (path.startsWith('/redirect/')) {
      response.writeHead(307, { location: `${url}/${path.slice('/redirect/'.length)}` })
    } else {
      response.setHeader('content-type', 'text/html')
      if (path.startsWith('/report/')) {
        const to = `${url}/${path.slice('/report/'.length)}`
        response.setHeader('content-security-policy', `default-src 'none'; report-uri ${to}`)
      }
    }
    response.end('<!doctype html><title>Harmless</title><script>1</script>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${new URL(url).hostname}:${port}`,
    cookies: () => cookies,
    toss: (given) => void (tossed = given),
  }
}
