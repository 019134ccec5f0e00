/** Finds the caller of a request: a program with a token, or a browser with both secrets of its session. */
import type { Context } from 'hono'
import { BoardError } from '../../core/errors.ts'
import { includesScope, isExpired } from '../../core/token.ts'
import type { Token, TokenScope } from '../../core/token.ts'
import type { Revision, Store } from '../../storage/store.ts'
import { viewOfToken } from '../../operations/tokens/views.ts'
import { askOncePerTurn } from '../../util/ask-once-per-turn.ts'
import { hashToken } from '../../util/mint.ts'
import type { Caller, HttpEnv } from '../parts.ts'
import { Remembered } from '../remembered.ts'
import { isSecretOf } from './same-secret.ts'

/** The header with the second secret of a session. A page on another port has the cookie, but not this secret. */
const SECRET_HEADER = 'x-muster-secret'

/**
 * The name of the session cookie. Browsers send a cookie to every port of a host. The name contains the port, so that
 * two servers on one machine do not replace each other's cookie.
 */
export const cookieName = (port: number): string => `muster_session_${port}`

const LONGEST = 200
const isCredential = (text: string | undefined): text is string =>
  text !== undefined && text.length <= LONGEST && /^[\w-]{20,}$/.test(text)

/** A caller, and the revision of the store at which its token was valid. */
export interface Identified {
  readonly caller: Caller
  readonly revision: Revision
}

export type Identify = (c: Pick<Context<HttpEnv>, 'req'>) => Promise<Identified>

/** The number of tokens to remember. A board has few. */
const MOST_TOKENS = 200

/**
 * Creates the function that identifies callers. Requests in the same turn of the event loop share one read of the
 * revision, because a message to the store's thread takes longer than the read.
 */
export function makeIdentify(store: Store, port: number): Identify {
  const revisionNow = askOncePerTurn<'revision', Revision>(() => store.revision())
  const remembered = new Remembered<Token>(MOST_TOKENS)

  const tokenOf = async (hash: string): Promise<readonly [Token | null, Revision]> => {
    if (store.engine === 'postgres') {
      // Without revisions, nothing has to be read first, so both reads share a round trip.
      const [token, now] = await Promise.all([store.tokenByHash(hash), store.now()])
      return [token, { id: null, now }]
    }
    const revision = await revisionNow('revision')
    const known = remembered.get(hash, revision)
    if (known !== undefined) return [known, revision]
    const token = await store.tokenByHash(hash)
    if (token !== null) remembered.set(hash, revision, token)
    return [token, revision]
  }

  const bearerOf = async (header: string): Promise<readonly [Token, Revision]> => {
    const [, given] = /^Bearer +([^ ]+)$/i.exec(header) ?? []
    if (!isCredential(given)) throw signInRequired('The token is not valid.')
    const [token, revision] = await tokenOf(hashToken(given))
    if (token === null || token.kind !== 'token') throw signInRequired('The token is not valid.')
    return [token, revision]
  }

  const sessionOf = async ({ req }: Pick<Context<HttpEnv>, 'req'>): Promise<readonly [Token, Revision]> => {
    const cookies = sessionCookies(req.header('cookie') ?? '', port)
    const secret = req.header(SECRET_HEADER)
    if (cookies.length === 0 && secret === undefined) throw signInRequired('')
    for (const cookie of cookies.filter(isCredential).slice(0, MOST_COOKIES)) {
      const [session, revision] = await tokenOf(hashToken(cookie))
      if (session?.kind === 'session' && session.secretHash !== null && isSecretOf(secret ?? '', session.secretHash))
        return [session, revision]
    }
    throw signInRequired('The session is not valid.')
  }

  return async (c) => {
    const header = c.req.header('authorization')
    const [token, revision] = await (header === undefined ? sessionOf(c) : bearerOf(header))
    if (isExpired(token, revision.now)) throw signInRequired('It has expired.')
    return { caller: viewOfToken(token), revision }
  }
}

/** The maximum number of cookies to check. A browser sends fewer cookies of one name. */
const MOST_COOKIES = 16

/**
 * The values of the session cookie. A server on another port can add cookies of the same name for other paths. The
 * browser sends all of them, and only a check shows which cookie is valid.
 */
function sessionCookies(header: string, port: number): readonly string[] {
  const start = `${cookieName(port)}=`
  const cookies = header.split(';').map((cookie) => cookie.trim())
  return [...new Set(cookies.filter((cookie) => cookie.startsWith(start)).map((cookie) => cookie.slice(start.length)))]
}

/** Throws an error if the token of a ticket's caller was revoked after the ticket was made. */
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
  throw new BoardError(
    'not_allowed',
    `This request needs a token with scope ${scope}; ${caller.name} has ${caller.scope}.`,
    {
      details: { needs: scope, has: caller.scope },
    },
  )
}
