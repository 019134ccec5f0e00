import { useEffect } from 'react'
import { onSignIn } from '../api/session.ts'
import { SignInPage } from './sign-in-page.tsx'

/** Replaces the app in a browser without a session. When another tab has signed in, the app is loaded again. */
export function SignedOut() {
  useEffect(() => onSignIn(() => location.reload()), [])
  return <SignInPage state="no_link" />
}
