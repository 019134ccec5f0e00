/**
 * The code of a one-time link. The code has its expiry time, a random part, and a signature with the key of the server.
 * `muster open` signs a code without sending a request, so the certificate of the server does not matter. The server
 * accepts each code once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { newToken } from '../util/mint.ts'

const LIFE_MS = 15 * 60_000

export function newSignInCode(key: string, now: number): string {
  const body = `${now + LIFE_MS}.${newToken()}`
  return `${body}.${signatureOf(key, body)}`
}

/** Returns the time at which a code expires or expired. Returns null if this server did not sign the code. */
export function expiryOfCode(key: string, code: string): number | null {
  const [, body = '', until = '', signature = ''] = /^((\d{1,16})\.[\w-]{43})\.([\w-]{43})$/.exec(code) ?? []
  const isOurs = body !== '' && timingSafeEqual(Buffer.from(signatureOf(key, body)), Buffer.from(signature))
  return isOurs ? Number(until) : null
}

const signatureOf = (key: string, body: string): string => createHmac('sha256', key).update(body).digest('base64url')

export const signInUrl = (url: string, code: string): string => `${url}/sign-in#${code}`
