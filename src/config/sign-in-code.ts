/**
 * The code of a one-time link: when it expires, a random part, and a signature with the key of the server. So `muster
 * open` makes a link without a request, whatever certificate the server has. The server accepts each code once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { newToken } from '../util/mint.ts'

const LIFE_MS = 15 * 60_000

export function newSignInCode(key: string, now: number): string {
  const body = `${now + LIFE_MS}.${newToken()}`
  return `${body}.${signatureOf(key, body)}`
}

/** Returns when a code expires, or null if it is not valid. */
export function expiryOfCode(key: string, code: string, now: number): number | null {
  const [, body = '', until = '', signature = ''] = /^((\d{1,16})\.[\w-]{43})\.([\w-]{43})$/.exec(code) ?? []
  const isOurs = body !== '' && timingSafeEqual(Buffer.from(signatureOf(key, body)), Buffer.from(signature))
  return isOurs && now < Number(until) ? Number(until) : null
}

const signatureOf = (key: string, body: string): string => createHmac('sha256', key).update(body).digest('base64url')

export const signInUrl = (url: string, code: string): string => `${url}/sign-in#${code}`
