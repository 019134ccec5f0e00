/**
 * npm run screenshots [-- --all <folder>]: draws the pages of the dashboard in a real Chromium, from a board that commands
 * and stand-in agents filled. Without a flag, it draws the pictures of the documentation into docs/images. With `--all`, it
 * draws every page in both themes, 1440 and 390 pixels wide, into a folder.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/helpers/launch-chromium.ts'
import { openDemo } from './screenshots/demo.ts'
import type { Demo } from './screenshots/demo.ts'
import { SHOTS } from './screenshots/shots.ts'

const IMAGES = join(import.meta.dirname, '../docs/images')
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const THEMES = ['light', 'dark'] as const

interface Look {
  readonly theme: (typeof THEMES)[number]
  readonly size: keyof typeof SIZES
}

/** The pictures that the documentation shows. */
const CHOSEN: readonly string[] = [
  'board-wide-light',
  'board-wide-dark',
  'board-phone-light',
  'needs-you-wide-light',
  'needs-you-phone-dark',
  'activity-wide-light',
  'card-wide-light',
  'plan-wide-light',
  'transcript-wide-dark',
]

const all = process.argv.indexOf('--all')
const folder = all === -1 ? IMAGES : resolve(process.argv[all + 1] ?? 'screenshots')
mkdirSync(folder, { recursive: true })
const demo = await openDemo()
const browser = await launchChromium()
try {
  for (const size of ['wide', 'phone'] as const)
    for (const theme of THEMES) await drawPages(browser, demo, { size, theme })
} finally {
  await browser.close()
  await demo.close()
}

async function drawPages(running: Browser, { link, seeded }: Demo, { size, theme }: Look): Promise<void> {
  const wanted = Object.keys(SHOTS).filter((name) => all !== -1 || CHOSEN.includes(`${name}-${size}-${theme}`))
  if (wanted.length === 0) return
  const context = await running.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    hasTouch: size === 'phone',
  })
  const page = await context.newPage()
  await page.goto(await link())
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  const { origin } = new URL(page.url())
  for (const name of wanted) {
    const { path, prepare } = SHOTS[name] ?? { path: () => '/' }
    await page.goto(`${origin}${path(seeded)}`)
    await untilStill(page)
    await prepare?.(page)
    await untilStill(page)
    await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) })
  }
  await context.close()
}

/** Waits until the page follows the events, and until no request has changed it for a moment. */
async function untilStill(page: Page): Promise<void> {
  await page.locator('[data-live="live"]').first().waitFor({ state: 'attached', timeout: 15_000 })
  await page
    .locator('[aria-busy="true"]')
    .first()
    .waitFor({ state: 'detached', timeout: 5_000 })
    .catch(() => undefined)
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(700)
}
