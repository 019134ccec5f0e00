/**
 * The session of this browser. It has two parts: a cookie that this code cannot read, and a secret in local storage.
 * Because of the secret, a page on another port of this machine cannot use the session.
 */
const KEY = 'muster-secret'

export const sessionSecret = (): string | null => localStorage.getItem(KEY)

export const keepSecret = (secret: string): void => localStorage.setItem(KEY, secret)

export const forgetSecret = (): void => localStorage.removeItem(KEY)

/** Calls back when another tab of this browser signs in. */
export function onSignIn(callback: () => void): () => void {
  const heard = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY && newValue !== null) callback()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
