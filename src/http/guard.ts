/** Checks that apply to every request, before anything else reads it. */
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
}

/** Also adds the headers to errors, so it comes before the other checks. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'private, no-cache')
}

/**
 * Refuses requests that a page of another origin causes. A rebound DNS name shows in Host; a cross-site request shows in
 * Origin and Sec-Fetch-Site. A server on another port of this machine is another origin, but the same site.
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
    // A link on another site may open a page, which reads nothing until its own scripts ask.
    if ((site === 'cross-site' || site === 'same-site') && c.req.header('sec-fetch-mode') !== 'navigate')
      throw foreign('sec-fetch-site')
    if (site === 'cross-site' && c.req.method !== 'GET') throw foreign('sec-fetch-site')
    await next()
  }

const foreign = (header: string): BoardError =>
  new BoardError('not_allowed', 'A page of another origin may not use this server.', { details: { header } })
