/** Open routes for programs that watch the server. They name no card, board or user. */
import { Hono } from 'hono'
import { findDispatchers } from '../operations/machine/dispatcher-state.ts'
import { hostIfSupported } from '../processes/identity.ts'
import type { HttpEnv, HttpParts } from './parts.ts'

export function healthRoutes({ target }: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/healthz', (c) => c.json({ status: 'ok', program: 'muster', version: target.version }))
  app.get('/readyz', async (c) => {
    const { own, active } = await findDispatchers(target.store, hostIfSupported())
    // Cards also start on other machines, so one active dispatcher anywhere is enough.
    const dispatcher = own.is === 'absent' && active.size > 0 ? 'active' : own.is
    const isReady = dispatcher === 'active'
    return c.json({ status: isReady ? 'ok' : 'degraded', store: 'ok', dispatcher }, isReady ? 200 : 503)
  })
  return app
}
