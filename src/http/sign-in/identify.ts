/** Finds the caller of a request: a program with a token, or a browser with both parts of its session. */
import type { Context } from 'hono'
import { parse } from 'hono/utils/cookie'
import { BoardError } from '../../core/errors.ts'
import { includesScope, isExpired } from '../../core/token.ts'
import type { Token, TokenScope } from '../../core/token.ts'
import type { Store } from '../../storage/store.ts'
import { viewOfToken } from '../../operations/tokens/views.ts'
import { hashToken } from '../../util/mint.ts'
import type { Caller, HttpEnv } from '../parts.ts'
import { isSecretOf } from './same-secret.ts'

/** The header with the second part of a session. A page of another port has the cookie, but not this secret. */
const SECRET_HEADER = 'x-muster-secret'

/** Cookies ignore ports, so the name contains the port: two servers on one machine must not replace each other's. */
export const cookieName = (port: number): string => `muster_session_${port}`

const LONGEST = 200
const isCredential = (text: string | undefined): text is string =>
  text !== undefined && text.length <= LONGEST && /^[\w-]{20,}$/.test(text)

export async function identify(c: Pick<Context<HttpEnv>, 'req'>, store: Store, port: number): Promise<Caller> {
  const header = c.req.header('authorization')
  const token = header === undefined ? await sessionOf(c, store, port) : await bearerOf(header, store)
  const now = await store.now()
  if (isExpired(token, now)) throw signInRequired('It has expired.')
  return viewOfToken(token)
}

async function bearerOf(header: string, store: Store): Promise<Token> {
  const [, given] = /^Bearer +([^ ]+)$/i.exec(header) ?? []
  const token = isCredential(given) ? await store.tokenByHash(hashToken(given)) : null
  if (token === null || token.kind !== 'token') throw signInRequired('The token is not valid.')
  return token
}

async function sessionOf(c: Pick<Context<HttpEnv>, 'req'>, store: Store, port: number): Promise<Token> {
  const cookie = parse(c.req.header('cookie') ?? '')[cookieName(port)]
  const secret = c.req.header(SECRET_HEADER)
  if (cookie === undefined && secret === undefined) throw signInRequired('')
  const session = isCredential(cookie) ? await store.tokenByHash(hashToken(cookie)) : null
  const isWhole =
    session?.secretHash != null && session.kind === 'session' && isSecretOf(secret ?? '', session.secretHash)
  if (session === null || !isWhole) throw signInRequired('The session is not valid.')
  return session
}

/** A ticket was made for a caller whose token may be revoked by now. */
export async function requireStillValid(caller: Caller, store: Pick<Store, 'tokens' | 'now'>): Promise<Caller> {
  const [tokens, now] = await Promise.all([store.tokens(), store.now()])
  if (tokens.some((token) => token.id === caller.id && !isExpired(token, now))) return caller
  throw signInRequired('The token of this ticket is not valid any more.')
}

const signInRequired = (why: string): BoardError =>
  new BoardError(
    'sign_in_required',
    `Sign in first.${why === '' ? '' : ` ${why}`} In a browser, open the link of muster open; in a program, send Authorization: Bearer with a token of muster tokens create.`,
  )

export function requireScope(caller: Caller, scope: TokenScope): void {
  if (includesScope(caller.scope, scope)) return
  throw new BoardError('not_allowed', `This needs a token with scope ${scope}; ${caller.name} has ${caller.scope}.`, {
    details: { needs: scope, has: caller.scope },
  })
}
