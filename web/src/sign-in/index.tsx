import { useEffect, useState } from 'react'
import { client } from '../api/client.ts'
import { keepSecret } from '../api/session.ts'
import { readLink, stateAfter } from './sign-in-state.ts'
import type { SignInState } from './sign-in-state.ts'
import { SignInPage } from './sign-in-page.tsx'

/** The link is read once and then removed from the URL, because the code must not stay in the browser history. */
const link = readLink(location.hash)
let attempt: Promise<void> | null = null

/** The page that a one-time link opens. It exchanges the code for a session and then opens the app. */
export function SignIn() {
  const [state, setState] = useState<SignInState>(link === null ? 'no_link' : 'signing_in')
  useEffect(() => {
    if (link === null) return
    history.replaceState(null, '', location.pathname)
    // The renders share one promise, because a link works only once.
    attempt ??= client.signIn(link.code).then(({ secret }) => keepSecret(secret))
    attempt.then(
      () => location.replace(link.path),
      (error: unknown) => setState(stateAfter(error)),
    )
  }, [])
  return <SignInPage state={state} />
}
