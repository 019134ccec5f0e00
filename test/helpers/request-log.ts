/** Records the requests that HTTP servers of this process answer. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export interface AnsweredRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly status: number
}

const CHANNEL = 'http.server.request.start'

/** Returns a list that grows with each request that the server on the port has answered. */
export function logRequests(port: number): readonly AnsweredRequest[] {
  const log: AnsweredRequest[] = []
  const note = (message: unknown): void => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse }
    const { method = '', url = '', headers, socket } = request
    if (socket.localPort !== port) return
    response.once('close', () => log.push({ method, url, headers, status: response.statusCode }))
  }
  subscribe(CHANNEL, note)
  onTestFinished(() => void unsubscribe(CHANNEL, note))
  return log
}
