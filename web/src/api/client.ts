/**
 * The client of the server, with the session of this browser: `client.comment({ task, body })`. Read requests wait
 * until this tab receives live events. So no change between an answer and the first event is missed.
 */
import { createClient } from '../../../src/client/index.ts'
import { noteRead, whenJoined } from './live-state.ts'
import { sessionSecret } from './session.ts'

const isRead = (url: string, { method }: RequestInit): boolean => method === 'GET' && !url.startsWith('/api/events')

export const client = createClient({
  secret: sessionSecret,
  async fetch(url, init) {
    if (isRead(url, init)) {
      await whenJoined()
      noteRead()
    }
    return fetch(url, init)
  },
})
