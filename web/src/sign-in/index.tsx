import { useEffect, useState } from 'react'
import { client } from '../api/client.ts'
import { keepSecret } from '../api/session.ts'
import { readLink, stateAfter } from './sign-in-state.ts'
import type { SignInState } from './sign-in-state.ts'
import { SignInPage } from './sign-in-page.tsx'

/** The link is read once, because the code must not stay in the history of the browser. */
const link = readLink(location.hash)
let attempt: Promise<void> | null = null

/** The page of a one-time link. It exchanges the code for a session, and then opens the app. */
export function SignIn() {
  const [state, setState] = useState<SignInState>(link === null ? 'no_link' : 'signing_in')
  useEffect(() => {
    if (link === null) return
    history.replaceState(null, '', location.pathname)
    // The promise is shared, because a link works only once and a second render must not use it again.
    attempt ??= client.signIn(link.code).then(({ secret }) => keepSecret(secret))
    attempt.then(
      () => location.replace(link.path),
      (error: unknown) => setState(stateAfter(error)),
    )
  }, [])
  return <SignInPage state={state} />
}
