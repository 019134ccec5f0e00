/** Signs browsers in and out. */
import { Hono } from 'hono'
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import type { Actor } from '../../core/actor.ts'
import { hashToken, newToken, newTokenId } from '../../util/mint.ts'
import type { Caller, HttpEnv, HttpParts } from '../parts.ts'
import type { Redeemed } from './links.ts'
import { readJson, SIGN_IN_BYTES } from '../read-body.ts'
import { jsonResponse } from '../routes/respond.ts'
import { cookieName } from './identify.ts'
import type { Identify } from './identify.ts'
import { signingBoard } from './signing-board.ts'

const SESSION_MS = 30 * 24 * 3_600_000

type Ctx = Context<HttpEnv>

const REFUSED: Readonly<Record<Exclude<Redeemed, 'valid'>, string>> = {
  used: 'The link was used before.',
  expired: 'The link has expired.',
  unknown: 'The link is not valid on this server.',
}

/**
 * The routes for signing in and out. They check the caller themselves, because a browser that signs in has no session
 * yet.
 */
export function signInRoutes(parts: HttpParts, identify: Identify): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.post('/sign-in', (c) => signIn(c, parts))
  app.get('/session', async (c) => jsonResponse(c, (await identify(c)).caller))
  app.delete('/session', async (c) => signOut(c, parts, (await identify(c)).caller))
  return app
}

async function signIn(c: Ctx, { target, place, links, attempts, bodies }: HttpParts): Promise<Response> {
  const address = c.env?.incoming?.socket.remoteAddress ?? ''
  const { code } = ((await readJson(c, { bodies, mostBytes: SIGN_IN_BYTES })) ?? {}) as { readonly code?: unknown }
  const link = typeof code === 'string' ? links.redeem(code) : 'unknown'
  if (link !== 'valid') {
    attempts.requireFew(address)
    attempts.recordFailure(address)
    throw new BoardError('sign_in_required', `${REFUSED[link]} For a new one, run: muster open`, { details: { link } })
  }
  const { store, options } = target
  const [cookie, secret] = [newToken(), newToken()]
  const expiresAt = (await store.now()) + SESSION_MS
  const input = {
    id: newTokenId(),
    kind: 'session' as const,
    name: options.user,
    scope: 'admin' as const,
    hash: hashToken(cookie),
    secretHash: hashToken(secret),
    expiresAt,
  }
  const actor: Actor = { kind: 'person', name: options.user }
  const board = await signingBoard(target)
  const session = unwrap(await store.decide({ verb: 'create_token', board, actor, input }))
  setCookie(c, cookieName(place.port), cookie, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: SESSION_MS / 1000,
    secure: place.scheme === 'https',
  })
  return c.json({ ...session, secret })
}

async function signOut(c: Ctx, { target, place }: HttpParts, { id, name }: Caller): Promise<Response> {
  const actor: Actor = { kind: 'person', name }
  const board = await signingBoard(target)
  unwrap(await target.store.decide({ verb: 'revoke_token', board, actor, input: { id, name } }))
  deleteCookie(c, cookieName(place.port), { path: '/' })
  return c.body(null, 204)
}
