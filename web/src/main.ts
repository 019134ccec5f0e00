/**
 * The entry point of the dashboard. It contains no components, so that it can request the first data while they load.
 */
import { startLiveCache } from './api/live-cache.ts'
import { whenJoined } from './api/live-state.ts'
import { makeQueryClient } from './api/query-client.ts'
import { requestScreen } from './app/first-screen.ts'
import { reloadOnNewVersion } from './app/new-version.ts'
import { boardShown } from './routes/paths.ts'
import './styles/tokens.css'
import './styles/base.css'

/** The longest wait for the event stream, and then for the first data. After that, the page shows a placeholder. */
const PATIENCE_MS = 100

const client = makeQueryClient()
const address = new URL(location.href)

const withPatience = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])

async function start(): Promise<void> {
  reloadOnNewVersion()
  // The browser parses one file of the program at a time. It does so while this entry waits for data.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=soon]')) link.rel = 'modulepreload'
  // Without this, the browser would lay out the first screen twice: before and after the font has loaded.
  void document.fonts.load('1em "Inter Variable"')
  // The sign-in page has no session yet. It loads the app again after the sign-in.
  const needsData = address.pathname !== '/sign-in'
  if (needsData) startLiveCache(client)
  const data = needsData ? requestScreen(client, address) : Promise.resolve()
  // The program blocks the thread while it starts, so the requests for data are sent before.
  if (needsData) await withPatience(whenJoined())
  // The code of the board is requested together with the program, so it is ready when the program needs it.
  if (boardShown(address.pathname) !== undefined) import('./board/index.tsx').catch(() => {})
  const { mount } = await import('./app/mount.tsx')
  // If the data has arrived, the page is drawn once, without a placeholder first.
  await withPatience(data)
  await mount(client, address)
}

void start()
