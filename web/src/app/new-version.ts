/**
 * Handles an update of Muster while a page is open. The page may then need files of the old version that no longer
 * exist, so it reloads itself. It reloads at most once a minute, because a file can also be missing for another reason.
 * If the server does not answer, the page stays open, and load-later.tsx retries.
 */
const KEY = 'muster-reloaded'
const AGAIN_MS = 60_000

const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    const isSoon = Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_MS
    if (isSoon) return
    void answers().then((isThere) => {
      if (!isThere) return
      sessionStorage.setItem(KEY, String(Date.now()))
      location.reload()
    })
  })
}
