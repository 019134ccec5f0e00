/** The routes for monitoring programs. They need no token and reveal no card, board or user. */
import { Hono } from 'hono'
import { isStalled } from '../core/limits/last-pass.ts'
import { findDispatchers } from '../operations/machine/dispatcher-state.ts'
import type { Dispatchers } from '../operations/machine/dispatcher-state.ts'
import { hostIfSupported } from '../processes/identity.ts'
import type { HttpEnv, HttpParts } from './parts.ts'

export function healthRoutes({ target }: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/healthz', (c) => c.json({ status: 'ok', program: 'muster', version: target.version }))
  app.get('/readyz', async (c) => {
    const [found, now] = await Promise.all([findDispatchers(target.store, hostIfSupported()), target.store.now()])
    const dispatcher = stateOf(found, now)
    const isReady = dispatcher === 'active'
    return c.json({ status: isReady ? 'ok' : 'degraded', store: 'ok', dispatcher }, isReady ? 200 : 503)
  })
  return app
}

/** The state of the dispatchers. Cards also start on other machines, so one dispatcher that makes passes is enough. */
function stateOf({ own, active, all }: Dispatchers, now: number): string {
  const leading = all.filter(({ machine }) => active.has(machine))
  if (leading.some((dispatcher) => !isStalled(dispatcher, now))) return 'active'
  return leading.length > 0 ? 'stalled' : own.is
}
