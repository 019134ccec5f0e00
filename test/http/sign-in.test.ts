import { expect, test } from 'vitest'
import { newSignInCode } from '../../src/config/sign-in-code.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { MINUTE } from '../helpers/sample.ts'

interface Session {
  readonly cookie: string
  readonly secret: string
}

const codeOf = ({ links, place }: HttpTest['parts']): string => links.newLink(place).split('#')[1] ?? ''

async function signIn({ ask, parts }: HttpTest): Promise<Session> {
  const reply = await ask('POST /api/sign-in', { token: null, body: { code: codeOf(parts) } })
  expect(reply.status).toBe(200)
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  return { cookie, secret: String(reply.json()['secret']) }
}

test('a one-time link signs in only one browser, and only once', async () => {
  const http = await openHttp()
  const code = codeOf(http.parts)
  const first = await http.ask('POST /api/sign-in', { token: null, body: { code } })
  expect(first.status).toBe(200)
  expect(first.headers.get('set-cookie')).toMatch(
    /^muster_session_6878=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const second = await http.ask('POST /api/sign-in', { token: null, body: { code } })
  expect(second.json()).toMatchObject({ status: 401, code: 'sign_in_required', details: { link: 'used' } })
})

test('the error for a refused link names the cause: used, expired or from another server', async () => {
  const http = await openHttp()
  const reasonFor = async (code: string): Promise<unknown> =>
    (await http.ask('POST /api/sign-in', { token: null, body: { code } })).json()['details']
  const old = codeOf(http.parts)
  http.clock.now += 15 * MINUTE
  expect(await reasonFor(old)).toEqual({ link: 'expired' })
  expect(await reasonFor(newSignInCode('another key', http.clock.now))).toEqual({ link: 'unknown' })
  expect(await reasonFor('cut')).toEqual({ link: 'unknown' })
})

test('a session needs its cookie and its secret', async () => {
  const http = await openHttp()
  const { cookie, secret } = await signIn(http)
  const as = (headers: Record<string, string>) => http.ask('GET /api/tasks', { token: null, headers })
  expect((await as({ cookie, 'x-muster-secret': secret })).status).toBe(200)
  expect((await as({ cookie })).status).toBe(401)
  expect((await as({ 'x-muster-secret': secret })).status).toBe(401)
  expect((await as({ cookie, 'x-muster-secret': `${secret.slice(1)}x` })).status).toBe(401)
  const other = await signIn(http)
  expect((await as({ cookie, 'x-muster-secret': other.secret })).status).toBe(401)
})

test('neither the cookie nor the secret of a session works as a token', async () => {
  const http = await openHttp()
  const { cookie, secret } = await signIn(http)
  const [, value = ''] = cookie.split('=')
  for (const token of [value, secret]) expect((await http.ask('GET /api/tasks', { token })).status).toBe(401)
})

test('signing out ends the session for both of its parts', async () => {
  const http = await openHttp()
  const { cookie, secret } = await signIn(http)
  const headers = { cookie, 'x-muster-secret': secret }
  expect((await http.ask('GET /api/session', { token: null, headers })).json()).toMatchObject({
    kind: 'session',
    name: 'ada',
    scope: 'admin',
  })
  expect((await http.ask('DELETE /api/session', { token: null, headers })).status).toBe(204)
  expect((await http.ask('GET /api/session', { token: null, headers })).status).toBe(401)
})

test('no answer contains a hash of a credential', async () => {
  const http = await openHttp()
  const { cookie, secret } = await signIn(http)
  const headers = { cookie, 'x-muster-secret': secret }
  const hashes = (await http.test.store.tokens()).flatMap(({ hash, secretHash }) => [hash, secretHash ?? hash])
  for (const path of ['/api/session', '/api/tokens']) {
    const { text, status } = await http.ask(`GET ${path}`, { token: null, headers })
    expect(status).toBe(200)
    for (const hash of hashes) expect(text).not.toContain(hash)
  }
})

test('an expired token is refused', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('read', (await http.test.store.now()) + MINUTE)
  expect((await http.ask('GET /api/tasks', { token })).status).toBe(200)
  await http.test.pass(2 * MINUTE)
  expect((await http.ask('GET /api/tasks', { token })).json()).toMatchObject({ code: 'sign_in_required' })
})

test('after ten failed sign-ins, guesses are refused for a minute but a valid link works', async () => {
  const http = await openHttp()
  const statuses: number[] = []
  for (let at = 0; at < 1_000; at += 1)
    statuses.push((await http.ask('POST /api/sign-in', { token: null, body: { code: `guess-${at}` } })).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
  expect(new Set(statuses.slice(10))).toEqual(new Set([429]))
  expect((await http.ask('POST /api/sign-in', { token: null, body: { code: codeOf(http.parts) } })).status).toBe(200)
  // Programs with a token are not affected by failed sign-ins.
  expect((await http.ask('GET /api/tasks')).status).toBe(200)
})

test('a link works for 15 minutes, and only if the key of the server signed it', async () => {
  const http = await openHttp()
  const status = async (code: string) => (await http.ask('POST /api/sign-in', { token: null, body: { code } })).status
  const late = codeOf(http.parts)
  http.clock.now += 15 * MINUTE
  expect(await status(late)).toBe(401)
  const [until = '', random = '', signature = ''] = codeOf(http.parts).split('.')
  expect(await status(`${Number(until) + MINUTE}.${random}.${signature}`)).toBe(401)
  expect(await status(newSignInCode('another key', http.clock.now))).toBe(401)
  expect(await status(newSignInCode(http.parts.key, http.clock.now))).toBe(200)
})

test('a card created with a token names that token as its creator', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('operate')
  const card = await http.ask('POST /api/tasks', { token, body: { title: 'A card' } })
  expect(card.status).toBe(201)
  expect(card.json()).toMatchObject({ task: { createdBy: 'robot-operate' } })
})
