/** Checks that apply to every request before its route. */
import type { MiddlewareHandler } from 'hono'
import { BoardError } from '../core/errors.ts'
import { isOwnHost, isOwnOrigin } from './place.ts'
import type { Place } from './place.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'private, no-cache',
}

const ENTRIES = Object.entries(HEADERS)

const complete = new WeakSet<Response>()

/**
 * Creates a response with the security headers. Adding them later would take as long as the rest of a short request.
 */
export function secureResponse(
  body: string | null,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const response = new Response(body, { status, headers: { ...HEADERS, ...headers } })
  complete.add(response)
  return response
}

/** Adds security headers. Error responses need them too, so this step comes before the other checks. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  if (complete.has(c.res)) return
  const { headers } = c.res
  for (const [name, value] of ENTRIES) if (!headers.has(name)) headers.set(name, value)
}

/**
 * Refuses requests that a page of another origin caused. The Host header reveals a rebound DNS name; Origin and
 * Sec-Fetch-Site reveal a cross-site request. A server on another port of this machine has another origin but counts as
 * the same site.
 */
export const refuseForeign =
  (place: Place): MiddlewareHandler =>
  async (c, next) => {
    const host = c.req.header('host')
    if (host === undefined || !isOwnHost(place, host))
      throw new BoardError('not_allowed', 'The Host header does not name this server.', { details: { header: 'host' } })
    const origin = c.req.header('origin')
    if (origin !== undefined && !isOwnOrigin(place, origin, host)) throw foreign('origin')
    const site = c.req.header('sec-fetch-site')
    // A link on another site may open a page of this server, because the page itself contains no data. The scripts of
    // the page request the data.
    const isLink = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate'
    if ((site === 'cross-site' || site === 'same-site') && !isLink) throw foreign('sec-fetch-site')
    await next()
  }

const foreign = (header: string): BoardError =>
  new BoardError('not_allowed', 'A page of another origin may not use this server.', { details: { header } })
