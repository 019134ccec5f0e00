/** All routes of the server as one app, which tests call without a port. */
import { Hono } from 'hono'
import type { Context, MiddlewareHandler } from 'hono'
import { BoardError } from '../core/errors.ts'
import { openLiveFeed } from './feed/live-feed.ts'
import { callerOfTicket, FEED_PATH, feedRoutes } from './feed/routes.ts'
import { Tickets } from './feed/tickets.ts'
import { fileRoutes, signedFileRoutes } from './files/routes.ts'
import { refuseForeign, securityHeaders } from './guard.ts'
import { healthRoutes } from './health.ts'
import { mcpRoutes } from './mcp-routes.ts'
import { makeMetrics } from './metrics.ts'
import { openApiDocument } from './openapi.ts'
import type { Caller, HttpEnv, HttpParts } from './parts.ts'
import { problemResponse } from './problem.ts'
import { mountRoutes, pathOfMany } from './routes/mount.ts'
import { jsonResponse } from './routes/respond.ts'
import { ROUTES } from './routes/table.ts'
import { identify, requireStillValid } from './sign-in/identify.ts'
import { noteUse } from './sign-in/note-use.ts'
import { FIRST_PAGE, SIGN_IN_PAGE, SIGN_IN_SCRIPT } from './sign-in/page.ts'
import { signInRoutes } from './sign-in/routes.ts'

/** What a browser may load before it has signed in. */
const JAVASCRIPT = { 'content-type': 'text/javascript; charset=utf-8' }

export function makeApp(parts: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const feed = openLiveFeed(parts.target.store)
  parts.stopping.addEventListener('abort', () => void feed.stop(), { once: true })
  const metrics = makeMetrics(feed)
  const tickets = new Tickets<Caller>()
  app.use(securityHeaders, refuseForeign(parts.place))
  app.onError((error) => problemResponse(error))
  app.notFound((c) => problemResponse(noRoute(c.req.method, c.req.path)))
  app.route('/', healthRoutes(parts))
  app.get('/', (c) => c.html(FIRST_PAGE))
  app.get('/sign-in', (c) => c.html(SIGN_IN_PAGE))
  app.get('/sign-in.js', (c) => c.body(SIGN_IN_SCRIPT, 200, JAVASCRIPT))
  app.route('/api', signInRoutes(parts))
  app.route('/', signedFileRoutes(parts))
  // Every route below needs a caller, including the ones that do not exist: a stranger learns nothing.
  app.use(
    '/api/*',
    withCaller(parts, (c) => callerOfTicket(c, tickets)),
  )
  app.use('/mcp', withCaller(parts))
  app.get('/metrics', withCaller(parts), async (c) => c.text(await metrics(parts.target)))
  app.route('/api', fileRoutes(parts))
  app.get('/api/openapi.json', async (c) => jsonResponse(c, await openApiDocument(parts.target.version)))
  app.route(FEED_PATH, feedRoutes(parts, feed, tickets))
  app.route('/mcp', mcpRoutes(parts))
  mountRoutes(app, parts, ROUTES)
  return app
}

/** Every caller has at least the scope `read`. */
const withCaller =
  (parts: HttpParts, callerBefore: (c: Context<HttpEnv>) => Caller | null = () => null): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const { store } = parts.target
    const known = callerBefore(c)
    const caller = await (known === null ? identify(c, store, parts.place.port) : requireStillValid(known, store))
    noteUse(parts, caller)
    c.set('caller', caller)
    await next()
  }

function noRoute(method: string, path: string): BoardError {
  const allow = ROUTES.flatMap((route) => [
    ...(matches(route.path, path) ? [route.method.toUpperCase()] : []),
    ...(route.many === true && matches(pathOfMany(route), path) ? ['POST'] : []),
  ])
  if (allow.length === 0)
    return new BoardError('route_not_found', `There is no ${method} ${path}. For all routes: /api/openapi.json`)
  return new BoardError('method_not_allowed', `${path} does not accept ${method}.`, {
    details: { allow: [...new Set(allow)].join(', ') },
  })
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
}
