import { useEffect } from 'react'
import { onSignIn } from '../api/session.ts'
import { SignInPage } from './sign-in-page.tsx'

/** Replaces the app in a browser without a session. After a sign-in in another tab, the app loads again. */
export function SignedOut() {
  useEffect(() => onSignIn(() => location.reload()), [])
  return <SignInPage state="no_link" />
}
