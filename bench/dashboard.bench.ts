/// <reference lib="dom" />
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { unwrap } from '../src/core/command.ts'
import type { TaskId } from '../src/core/ids.ts'
import { openLiveFeed } from '../src/http/feed/live-feed.ts'
import { openStore } from '../src/storage/open.ts'
import type { Store } from '../src/storage/store.ts'
import { launchChromium } from '../test/helpers/launch-chromium.ts'
import { BOARD } from '../test/helpers/places.ts'
import { childEnvironment } from '../test/helpers/processes.ts'
import { percentile } from '../test/helpers/proofs/proof.ts'
import { startBareSite } from './programs/bare-site.ts'
import type { BareSite } from './programs/bare-site.ts'
import { fillBoard } from './programs/fill-board.ts'
import { startHttpUp } from './programs/http-up.ts'
import type { HttpUp } from './programs/http-up.ts'
import { info, median, ratio } from './report.ts'

const BIN = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const CARDS = 10_000
const READY = 5_000
const BODY_BYTES = 1_000_000
const EVERY_MS = 20
const COMMITS = 40
const TABS = 10
const SCROLL_MS = 3_000
const ada = { kind: 'person', name: 'ada' } as const

/** With `--quick`, the load lasts ten seconds instead of a minute, and the page is loaded fewer times. */
const isQuick = process.argv.includes('--quick')
const LOAD_S = isQuick ? 10 : 60
const ROUNDS = isQuick ? 5 : 11

/** Measures the dashboard in a real Chromium with 10,000 cards, one of them with a body of 1 MB. */
export async function benchDashboard(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const { ids } = await fillBoard(join(folder, 'muster.db'), { size: CARDS, claimable: READY })
  const store = await openStore({ engine: 'sqlite', path: join(folder, 'muster.db') }, { mode: 'write' })
  const [first] = ids
  if (first === undefined) throw new Error('the board is empty')
  await edit(store, first, { body: 'x'.repeat(BODY_BYTES), priority: 9 })
  const up = await startHttpUp(folder)
  const feed = openLiveFeed(store)
  const bare = await startBareSite(await up.get(`/api/board?board=${BOARD}&limit=50`), feed)
  const browser = await launchChromium()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    // tsx calls this in each function, also in those that run in the page.
    await context.addInitScript('globalThis.__name = (named) => named')
    const url = await signIn(context, folder)
    await measureLoading(context, { url, bare })
    await measureLatency(context, { url, bare, store, card: first })
    await measureScrolling(context, url)
    await measureLoad(context, { url, store, ids })
    await measureTabs(context, { url, up })
  } finally {
    await browser.close()
    await bare.stop()
    await feed.stop()
    await up.stop()
    await store.close({ exiting: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Edited {
  readonly title?: string
  readonly body?: string
  readonly priority?: number
}

async function edit(store: Store, task: TaskId, set: Edited): Promise<void> {
  const input = { task, set, resetFailures: false, clearClaim: false, freshFrom: null }
  unwrap(await store.decide({ verb: 'edit', board: BOARD, actor: ada, input }))
}

async function signIn(context: BrowserContext, home: string): Promise<string> {
  const env = { ...childEnvironment(), MUSTER_HOME: home, MUSTER_USER: 'ada' }
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, 'open', '--no-open'], { env })
  const page = await context.newPage()
  await page.goto(stdout.trim().split('\n')[0] ?? '')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  const { origin } = new URL(page.url())
  await page.close()
  return origin
}

const boardUrl = (url: string): string => `${url}/b/${BOARD}`

/** Returns the milliseconds from the navigation until the cards are drawn. */
async function timeToCards(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelectorAll('article').length < 5) requestAnimationFrame(look)
      else requestAnimationFrame(() => Object.assign(globalThis, { cardsAt: performance.now() }))
    }
    requestAnimationFrame(look)
  })
  await page.goto(url)
  const at = await page.waitForFunction(() => (globalThis as { cardsAt?: number }).cardsAt)
  const ms = await at.jsonValue()
  await page.close()
  return ms ?? Infinity
}

async function measureLoading(context: BrowserContext, { url, bare }: { url: string; bare: BareSite }): Promise<void> {
  const own: number[] = []
  const floor: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(await timeToCards(context, boardUrl(url)))
    floor.push(await timeToCards(context, bare.url))
  }
  ratio('dashboard-board-vs-bare-react', median(own.slice(1)) / median(floor.slice(1)), '<=2.5')
  info(`cards drawn after ${median(own).toFixed(0)} ms; a bare React page: ${median(floor).toFixed(0)} ms`)
}

interface Latency {
  readonly url: string
  readonly bare: BareSite
  readonly store: Store
  readonly card: TaskId
}

/** Returns the milliseconds from a commit of this process, which is not the server, until the page draws the change. */
async function measureLatency(context: BrowserContext, { url, bare, store, card }: Latency): Promise<void> {
  const page = await context.newPage()
  await page.goto(boardUrl(url))
  await page.locator('[data-live="live"]').first().waitFor({ state: 'attached' })
  const other = await context.newPage()
  await other.goto(`${bare.url}/live`)
  await sleep(1_000)
  const own: number[] = []
  const floor: number[] = []
  for (let at = 0; at < COMMITS; at += 1) {
    await page.bringToFront()
    own.push(await drawnAfter(page, store, { card, title: `Drawn ${at} on the board` }))
    await other.bringToFront()
    floor.push(await shownAfter(other, store, { card, title: `Shown ${at} on a page` }))
  }
  const [p95, bareP95] = [percentile(own, 0.95), percentile(floor, 0.95)]
  ratio('dashboard-commit-to-pixel-ms-over-bare', p95 - bareP95, '<=150')
  info(`commit to pixel, p95: ${p95.toFixed(0)} ms; a bare page with server-sent events: ${bareP95.toFixed(0)} ms`)
  await page.close()
  await other.close()
}

interface Change {
  readonly card: TaskId
  readonly title: string
}

async function drawnAfter(page: Page, store: Store, { card, title }: Change): Promise<number> {
  const drawn = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          if (document.body.textContent.includes(wanted)) resolve(Date.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
    title,
  )
  await sleep(50)
  await edit(store, card, { title })
  const committed = Date.now()
  return Math.max(0, (await drawn) - committed)
}

async function shownAfter(page: Page, store: Store, { card, title }: Change): Promise<number> {
  await page.evaluate(() => Object.assign(globalThis, { shown: [] }))
  await edit(store, card, { title })
  const committed = Date.now()
  const shown = await page.waitForFunction(() => (globalThis as { shown?: number[] }).shown?.[0])
  return Math.max(0, ((await shown.jsonValue()) ?? Infinity) - committed)
}

/**
 * Scrolls a list by 60 pixels in each frame. Counts the frames that took more than one and a half times the normal
 * time.
 */
const droppedFrames = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    ({ list, ms }) =>
      new Promise<number>((resolve) => {
        const element = document.querySelector(list)
        const started = performance.now()
        let before = started
        let dropped = 0
        const step = (now: number): void => {
          if (now - before > 25) dropped += 1
          before = now
          element?.scrollBy(0, 60)
          if (now - started < ms) requestAnimationFrame(step)
          else resolve(dropped)
        }
        requestAnimationFrame(step)
      }),
    { list: selector, ms: SCROLL_MS },
  )

/** Compares scrolling a column of 5,000 cards with scrolling a list of copies of its mounted rows. */
async function measureScrolling(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(boardUrl(url))
  await page.locator('[role="list"] [data-index="5"]').first().waitFor()
  await page.evaluate(() => {
    const lists = [...document.querySelectorAll('[role="list"]')]
    const longest = lists.toSorted((one, other) => other.scrollHeight - one.scrollHeight)[0]
    longest?.setAttribute('data-bench', 'own')
    const rows = longest?.querySelectorAll('[data-index]') ?? []
    const list = document.createElement('div')
    list.setAttribute('data-bench', 'static')
    list.style.cssText = 'position:fixed;left:0;top:0;width:240px;height:700px;overflow:auto;z-index:9;display:none'
    for (let at = 0; at < 8; at += 1)
      for (const row of rows) {
        const copy = row.cloneNode(true) as HTMLElement
        copy.style.cssText = 'position:static'
        list.append(copy)
      }
    document.body.append(list)
  })
  const own: number[] = []
  const floor: number[] = []
  for (let round = 0; round < 3; round += 1) {
    own.push(await droppedFrames(page, '[data-bench="own"]'))
    await show(page, 'block')
    floor.push(await droppedFrames(page, '[data-bench="static"]'))
    await show(page, 'none')
  }
  const mounted = await page.locator('article').count()
  ratio('dashboard-scroll-dropped-vs-static', (median(own) + 1) / (median(floor) + 1), '<=1.1')
  info(`frames dropped in 3 s: ${median(own)}, in a static list ${median(floor)}; ${mounted} cards mounted`)
  await page.close()
}

const show = (page: Page, display: string): Promise<void> =>
  page.evaluate((value) => {
    const list = document.querySelector<HTMLElement>('[data-bench="static"]')
    if (list !== null) list.style.display = value
  }, display)

interface Load {
  readonly url: string
  readonly store: Store
  readonly ids: readonly TaskId[]
}

/** Makes 50 changes per second. Measures the tasks that block the page, and its memory. */
async function measureLoad(context: BrowserContext, { url, store, ids }: Load): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(boardUrl(url))
  await page.locator('[data-live="live"]').first().waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  const change = async (seconds: number): Promise<void> => {
    const until = performance.now() + seconds * 1_000
    for (let at = 0; performance.now() < until; at += 1) {
      const task = ids[at % 200]
      if (task !== undefined) await edit(store, task, { title: `Changed ${at} times` })
      await sleep(EVERY_MS)
    }
  }
  await change(5)
  const before = await heap()
  await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0))
  await change(LOAD_S)
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)
  const after = await heap()
  ratio('dashboard-load-long-task-p95-ms', tasks.length === 0 ? 0 : percentile(tasks, 0.95), '<=100')
  ratio('dashboard-load-memory', after / before, '<=1.2')
  const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
  info(`${tasks.length} long tasks in ${LOAD_S} s; heap ${mb(before)} before, ${mb(after)} after`)
  await page.close()
}

async function measureTabs(context: BrowserContext, { url, up }: { url: string; up: HttpUp }): Promise<void> {
  const pages: Page[] = []
  for (let at = 0; at < TABS; at += 1) {
    const page = await context.newPage()
    await page.goto(boardUrl(url))
    await page.locator('[data-live="live"]').first().waitFor({ state: 'attached' })
    pages.push(page)
  }
  const [, streams = '?'] = /^muster_feed_clients (.+)$/m.exec(await up.get('/metrics')) ?? []
  ratio('dashboard-streams-of-ten-tabs', Number(streams), '<=1')
  for (const page of pages) await page.close()
}
