/** The entry of the dashboard. It has no components, so that it requests the first data while they still load. */
import { startLiveCache } from './api/live-cache.ts'
import { whenJoined } from './api/live-state.ts'
import { makeQueryClient } from './api/query-client.ts'
import { requestScreen } from './app/first-screen.ts'
import { reloadOnNewVersion } from './app/new-version.ts'
import { boardShown } from './routes/paths.ts'
import './styles/tokens.css'
import './styles/base.css'

/** The longest wait for the stream of events, and then for the first data. After that, the page shows what it waits for. */
const PATIENCE_MS = 100

const client = makeQueryClient()
const address = new URL(location.href)

const withPatience = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])

async function start(): Promise<void> {
  reloadOnNewVersion()
  // The browser reads one file of the program at a time. It reads them while this entry waits, and not before it.
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=soon]')) link.rel = 'modulepreload'
  // Without this, the browser would lay out the first screen twice: before and after the font.
  void document.fonts.load('1em "Inter Variable"')
  // The sign-in page has no session yet; it loads the app again when it has one.
  const needsData = address.pathname !== '/sign-in'
  if (needsData) startLiveCache(client)
  const data = needsData ? requestScreen(client, address) : Promise.resolve()
  // The program keeps the thread busy while it starts. The requests for the data leave before that.
  if (needsData) await withPatience(whenJoined())
  // The code of the board is requested together with the program, and is there when the program shows it.
  if (boardShown(address.pathname) !== undefined) import('./board/index.tsx').catch(() => {})
  const { mount } = await import('./app/mount.tsx')
  // With the data, the page is drawn once, and without a placeholder before it.
  await withPatience(data)
  await mount(client, address)
}

void start()
