/** All routes of the server as one app. Tests call the app without a port. */
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
import { makeMetrics } from './metrics/metrics.ts'
import { openApiDocument } from './openapi.ts'
import type { Caller, HttpEnv, HttpParts } from './parts.ts'
import { problemResponse } from './problem.ts'
import { mountRoutes, pathOfMany } from './routes/mount.ts'
import { jsonResponse } from './routes/respond.ts'
import { ROUTES } from './routes/table.ts'
import { makeIdentify, requireStillValid } from './sign-in/identify.ts'
import type { Identify } from './sign-in/identify.ts'
import { noteUse } from './sign-in/note-use.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { notFoundPage, siteRoutes } from './site/routes.ts'
import { wrongHostPage } from './site/wrong-host-page.ts'

export function makeApp(parts: HttpParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const feed = openLiveFeed(parts.target.store)
  parts.stopping.addEventListener('abort', () => void feed.stop(), { once: true })
  const metrics = makeMetrics(parts.target.store, feed)
  const tickets = new Tickets<Caller>()
  const identify = makeIdentify(parts.target.store, parts.place.port)
  app.use(securityHeaders, refuseForeign(parts.place))
  app.onError((error, c) => wrongHostPage(c, error) ?? problemResponse(error))
  app.notFound((c) => notFoundPage(c, parts.site) ?? problemResponse(noRoute(c.req.method, c.req.path)))
  app.route('/', healthRoutes(parts))
  app.route('/', siteRoutes(parts))
  app.route('/api', signInRoutes(parts, identify))
  app.route('/', signedFileRoutes(parts))
  // Every path below needs a caller, even a path without a route. So a client without a token cannot find out which
  // paths exist.
  app.use(
    '/api/*',
    withCaller(parts, identify, (c) => callerOfTicket(c, tickets)),
  )
  app.use('/mcp', withCaller(parts, identify))
  app.get('/metrics', withCaller(parts, identify), async (c) => c.text(await metrics()))
  app.route('/api', fileRoutes(parts))
  app.get('/api/openapi.json', async (c) => jsonResponse(c, await openApiDocument(parts.target.version)))
  app.route(FEED_PATH, feedRoutes(parts, feed, tickets))
  app.route('/mcp', mcpRoutes(parts))
  mountRoutes(app, parts, ROUTES)
  return app
}

/** Adds the caller to the request. No scope is checked here, because every caller has at least the scope `read`. */
const withCaller =
  (
    parts: HttpParts,
    identify: Identify,
    callerBefore: (c: Context<HttpEnv>) => Caller | null = () => null,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const known = callerBefore(c)
    const { caller, revision } =
      known === null
        ? await identify(c)
        : { caller: await requireStillValid(known, parts.target.store), revision: null }
    noteUse(parts, caller)
    c.set('caller', caller)
    c.set('revision', revision)
    await next()
  }

function noRoute(method: string, path: string): BoardError {
  const allow = ROUTES.flatMap((route) => [
    ...(matches(route.path, path) ? [route.method.toUpperCase()] : []),
    ...(route.many === true && matches(pathOfMany(route), path) ? ['POST'] : []),
  ])
  if (allow.length === 0)
    return new BoardError(
      'route_not_found',
      `There is no route ${method} ${path}. To list all routes: /api/openapi.json`,
    )
  return new BoardError('method_not_allowed', `${path} does not accept ${method}.`, {
    details: { allow: [...new Set(allow)].join(', ') },
  })
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
}
