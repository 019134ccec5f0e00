/** The state of a sign-in, and the message for it. */
import { ClientError } from '../../../src/client/index.ts'

export type SignInState = 'signing_in' | 'used' | 'too_many' | 'offline' | 'no_link'

export function stateAfter(error: unknown): SignInState {
  if (!(error instanceof ClientError)) return 'offline'
  if (error.code === 'sign_in_required') return 'used'
  return error.code === 'too_many_attempts' ? 'too_many' : 'offline'
}

/**
 * Returns the code of a link, and the page to open: `#<code>` or `#<code>/b/default/t_1`. Null if there is no code. The
 * page is always on this server.
 */
export function readLink(hash: string): { readonly code: string; readonly path: string } | null {
  const [, code, path = '/'] = /^#([\w.-]+)(\/.*)?$/.exec(hash) ?? []
  if (code === undefined) return null
  // The URL is parsed, because browsers treat `//host` and similar spellings as another server.
  const here = new URL('http://this-server')
  const target = new URL(path, here)
  return { code, path: target.origin === here.origin ? `${target.pathname}${target.search}${target.hash}` : '/' }
}
