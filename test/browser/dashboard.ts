/** A running `muster up` with its own data folder, and pages that are signed in to this server. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { useChromium } from '../helpers/chromium.ts'
import type { PageOptions } from '../helpers/chromium.ts'
import { LINK, startHttpServer } from '../helpers/http-server.ts'
import type { HttpServer } from '../helpers/http-server.ts'
import { makeTestHome } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'

export interface Dashboard {
  /** The data folder. Its commands run in other processes than the server, or in the process of the test. */
  readonly home: TestHome
  readonly server: () => HttpServer
  /** Opens a page with the session of this file, and shows the path. */
  readonly open: (path?: string, options?: PageOptions) => Promise<Page>
  /** Opens a page that is not signed in. */
  readonly openSignedOut: (path: string, options?: PageOptions) => Promise<Page>
  /** Makes a one-time link, as `muster open` prints it. */
  readonly newLink: () => Promise<string>
  /** Ends the server. Returns the function that starts it again on the same port. */
  readonly stopServer: () => Promise<() => Promise<void>>
}

interface Session {
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string }
  readonly secret: string
}

/** Exchanges the link that the server printed, as the page does. The tests of a file share this session. */
async function signIn({ url, code }: HttpServer): Promise<Session> {
  const answer = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code }),
  })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = cookie.split('=')
  const { secret } = (await answer.json()) as { readonly secret: string }
  return { cookie: { name, value, url }, secret }
}

/** The default options. The language is English, because the tests look for English texts. */
const DEFAULTS: PageOptions = { locale: 'en-GB', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }

/**
 * Starts the server for a test file. Call this function once, at the top of the file. `seed` fills the board before the
 * server starts.
 */
export function useDashboard(
  seed: (home: TestHome) => Promise<void> = async () => {},
  { dispatches = false }: { readonly dispatches?: boolean } = {},
): Dashboard {
  const openPage = useChromium()
  const home = makeTestHome('sqlite', afterAll)
  let running: HttpServer | undefined
  let session: Session | undefined
  const start = async (port: number): Promise<void> => {
    // Without a dispatcher, no card starts during the test.
    running = await startHttpServer(home, { flags: dispatches ? [] : ['--no-dispatch'], port })
  }
  beforeAll(async () => {
    await home.runInline('init')
    await seed(home)
    await start(0)
  })
  const server = (): HttpServer => {
    if (running === undefined) throw new Error('the server starts before the first test')
    return running
  }
  const newLink = async (): Promise<string> => {
    const { stdout } = await home.muster('open')
    const [link] = LINK.exec(stdout) ?? []
    if (link === undefined) throw new Error(`muster open printed no link: ${stdout}`)
    return link
  }
  const openSignedOut: Dashboard['openSignedOut'] = async (path, options = {}) => {
    const page = await openPage({ ...DEFAULTS, ...options })
    await page.goto(`${server().url}${path}`)
    return page
  }
  return {
    home,
    server,
    newLink,
    openSignedOut,
    async stopServer() {
      const { up, port } = server()
      up.child.kill('SIGTERM')
      await up.ended
      return () => start(port)
    },
    async open(path = '/b/default', options = {}) {
      session ??= await signIn(server())
      const page = await openPage({ ...DEFAULTS, ...options })
      await page.context().addCookies([session.cookie])
      // The page keeps the second part of a session where no cookie reaches it. A page that signed out stays signed out.
      await page.addInitScript((secret) => {
        if (localStorage.getItem('muster-secret') === null) localStorage.setItem('muster-secret', secret)
      }, session.secret)
      await page.goto(`${server().url}${path}`)
      return page
    },
  }
}

/** Waits until the page receives live events. */
export const untilLive = async (page: Page): Promise<void> => {
  await expect.poll(() => page.locator('[data-live]').getAttribute('data-live')).toBe('live')
}
