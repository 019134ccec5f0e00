/** Serves the dashboard: its files, and its page for every address of the app. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { BoardError } from '../../core/errors.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'
import { hasEtag } from '../routes/respond.ts'
import type { Site, SiteFile } from './read-site.ts'

/** The addresses of the app. The page of the app contains no data, so it needs no session. */
const APP_PATHS = [
  '/',
  '/sign-in',
  '/all',
  '/b/*',
  '/graph/*',
  '/plan/*',
  '/recurring/*',
  '/needs-you',
  '/agents/*',
  '/activity',
  '/health',
  '/settings/*',
  '/ui',
] as const

/** All other paths of the server. Only programs use them, so a wrong path gets a problem document. */
const PROGRAM_PATHS = /^\/(api|mcp|files|assets|metrics|healthz|readyz)(\/|$)/

const YEAR_S = 31_536_000

// The casts below are safe, because the files were read into memory of this process alone.

export function siteRoutes({ site }: Pick<HttpParts, 'site'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  for (const [path, file] of site) if (path !== '/index.html') app.get(path, (c) => answer(c, file))
  for (const path of APP_PATHS) app.get(path, (c) => answer(c, pageOf(site)))
  return app
}

/** Returns the error page for a person, or null if a program made the request. */
export function notFoundPage(c: Context<HttpEnv>, site: Site): Response | null {
  const wantsPage = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html')
  const page = site.get('/index.html')
  if (!wantsPage || page === undefined || PROGRAM_PATHS.test(c.req.path)) return null
  return new Response(page.body as Uint8Array<ArrayBuffer>, { status: 404, headers: { 'content-type': page.type } })
}

function pageOf(site: Site): SiteFile {
  const page = site.get('/index.html')
  if (page !== undefined) return page
  throw new BoardError(
    'route_not_found',
    'This installation has no dashboard. Install Muster again; from sources, run: npm run build',
  )
}

function answer(c: Context<HttpEnv>, file: SiteFile): Response {
  const headers: Record<string, string> = {
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': file.isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache',
  }
  if (hasEtag(c.req.header('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const { body, encoding } = chooseBody(file, c.req.header('accept-encoding') ?? '')
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, 'content-type': file.type, ...(encoding === null ? {} : { 'content-encoding': encoding }) },
  })
}

/** Chooses the encoding of a file. A browser refuses an encoding with `q=0`. Other weights are ignored. */
function chooseBody(
  { body, gzip, brotli }: SiteFile,
  accepted: string,
): { readonly body: Uint8Array; readonly encoding: 'br' | 'gzip' | null } {
  const takes = (name: string): boolean =>
    accepted.split(',').some((part) => {
      const [given = '', ...parameters] = part.split(';').map((text) => text.trim())
      return given === name && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
    })
  if (brotli !== null && takes('br')) return { body: brotli, encoding: 'br' }
  if (gzip !== null && takes('gzip')) return { body: gzip, encoding: 'gzip' }
  return { body, encoding: null }
}
