/**
 * Tests a hostile server on another loopback port, such as a development server that an agent started. The signed-in
 * browser visits this server, which receives the session cookie, because cookies ignore ports.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ServeAddress } from '../../../src/operations/machine/server-port.ts'
import { useChromium } from '../../helpers/chromium.ts'
import { listen } from '../../helpers/listening-server.ts'
import type { ListeningServer } from '../../helpers/listening-server.ts'
import { logRequests } from '../../helpers/request-log.ts'
import type { AnsweredRequest } from '../../helpers/request-log.ts'
import { attempt, ATTEMPTS } from './hostile-attempts.ts'
import { startHostileServer } from './hostile-server.ts'

const openPage = useChromium()

/** A hostile page cannot act without errors in its own console. */
const expects = [/.*/]

const STATUS_OF_SESSION = `fetch('/api/session', {
  headers: { 'x-muster-secret': localStorage.getItem('muster-secret') },
}).then((response) => response.status)`

async function signIn(page: Page, server: ListeningServer): Promise<void> {
  await page.goto(server.makeLink())
  await page.waitForURL(`${server.url}/b/default`)
}

const MODES: readonly (readonly [string, Partial<ServeAddress>])[] = [
  ['on loopback', {}],
  ['for other machines', { host: '0.0.0.0', insecure: true }],
]

/**
 * Whether a request comes from a link. A link on a foreign page may open every address, but only some addresses answer
 * with a page, and these pages have no data.
 */
const isLink = ({ method, headers }: AnsweredRequest): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate'

const isPublic = (request: AnsweredRequest): boolean => isLink(request) && /^\/(sign-in)?(\?|$)/.test(request.url)

const attemptOf = ({ url }: AnsweredRequest): string | null => new URL(url, 'http://any').searchParams.get('attempt')

test.each(MODES)('a hostile page can neither read nor change a server %s', async (_, address) => {
  const server = await listen(address)
  await server.ask('POST /api/tasks', { body: { title: 'A secret plan' } })
  const own = await openPage({ expects })
  await signIn(own, server)
  const hostile = await startHostileServer(server)
  const page = await own.context().newPage()
  await page.goto(hostile.url)
  expect(hostile.cookies()).toContain(`muster_session_${server.port}=`)

  const before = await server.test.store.feed(null)
  const log = logRequests(server.port)
  for (const name of Object.keys(ATTEMPTS)) expect([name, await attempt(page, name, server)]).toEqual([name, ''])
  const isSent = (name: string): boolean => ATTEMPTS[name]?.includes("('/") === true
  const sent = Object.keys(ATTEMPTS).filter((name) => isSent(name) && name !== 'a service worker')
  await expect.poll(() => sent.filter((name) => !log.some((request) => attemptOf(request) === name))).toEqual([])
  const ofOthers = log.filter(({ headers }) => headers['sec-fetch-site'] !== 'same-origin')
  expect(ofOthers.filter((request) => request.status !== 403 && !isLink(request))).toEqual([])
  expect(ofOthers.filter((request) => request.status < 400 && !isPublic(request))).toEqual([])
  expect((await server.test.store.feed(before.cursor)).events).toEqual([])
  expect(await own.evaluate(STATUS_OF_SESSION)).toBe(200)
})

test('a hostile server that received the session cookie cannot use the cookie', async () => {
  const server = await listen()
  const page = await openPage({ expects })
  await signIn(page, server)
  const hostile = await startHostileServer(server)
  await page.goto(hostile.url)
  const cookie = hostile.cookies()
  const [, value = ''] = cookie.split('=')
  for (const headers of [
    { cookie },
    { cookie, 'x-muster-secret': value },
    { cookie, 'x-muster-secret': 'x'.repeat(43) },
    { authorization: `Bearer ${value}` },
  ] as readonly Record<string, string>[])
    for (const path of ['/api/tasks', '/api/session', '/api/events', '/mcp', '/metrics'])
      expect([path, (await fetch(`${server.url}${path}`, { headers })).status]).toEqual([path, 401])
})

test.each(MODES)('a user whose cookie was replaced can sign in again, to a server %s', async (_, address) => {
  const server = await listen(address)
  const page = await openPage({ expects })
  await signIn(page, server)
  const hostile = await startHostileServer(server)
  const name = `muster_session_${server.port}`
  const domain = new URL(server.url).hostname
  hostile.toss(
    ['Path=/', 'Path=/api', 'Path=/api/session', `Path=/; Domain=${domain}`, `Path=/api; Domain=${domain}`].map(
      (place) => `${name}=${'x'.repeat(43)}; Max-Age=86400; HttpOnly; ${place}`,
    ),
  )
  await page.goto(hostile.url)
  await page.goto(server.url)
  expect(await page.evaluate(STATUS_OF_SESSION)).toBe(401)
  await signIn(page, server)
  expect(await page.evaluate(STATUS_OF_SESSION)).toBe(200)
})
