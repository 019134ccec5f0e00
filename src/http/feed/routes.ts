/** The routes of the live feed. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { BoardError } from '../../core/errors.ts'
import type { Caller, HttpEnv, HttpParts } from '../parts.ts'
import { refuseHead } from '../routes/respond.ts'
import { requireScope } from '../sign-in/identify.ts'
import type { LiveFeed } from './live-feed.ts'
import type { Tickets } from './tickets.ts'

export const FEED_PATH = '/api/events'

export function feedRoutes({ streams }: HttpParts, feed: LiveFeed, tickets: Tickets<Caller>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/', (c) => {
    requireScope(c.get('caller'), 'read')
    refuseHead(c)
    const disconnect = (): unknown => c.env?.incoming?.socket.destroy()
    return feed.respond(c.req.raw, { disconnect, access: streams.open(c.get('caller')) })
  })
  app.post('/tickets', (c) => {
    requireScope(c.get('caller'), 'read')
    return c.json({ ticket: tickets.create(c.get('caller')) }, 201)
  })
  return app
}

/** Finds the caller by the one-use ticket in the address of the feed. Returns null if the address has no ticket. */
export function callerOfTicket({ req }: Pick<Context<HttpEnv>, 'req'>, tickets: Tickets<Caller>): Caller | null {
  const ticket = req.method === 'GET' && req.path === FEED_PATH ? req.query('ticket') : undefined
  if (ticket === undefined) return null
  const caller = tickets.redeem(ticket)
  if (caller !== null) return caller
  throw new BoardError(
    'sign_in_required',
    'The ticket was used before or is too old. For a new one: POST /api/events/tickets',
  )
}
