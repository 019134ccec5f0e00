// Examines every page in every theme, language and width: it must be readable, reachable, and free of violations of
// WCAG A and AA. `npm test` tries each page and each value at least once; `npm run prove -- dashboard` tries all
// combinations.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TestHome } from '../helpers/cli.ts'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const ids = { asks: '', claimed: '', hostile: '' }

const { open } = useDashboard(async (seeded) => {
  const shell = (title: string, ...flags: readonly string[]) => seeded.create(title, '--assignee', 'shell', ...flags)
  const claimed = await shell('Split the checkout service into quote and order', '--body', LONG, '--check', 'npm test')
  await seeded.runInline('claim', claimed.id)
  const asks = await shell(
    '환불 처리 시 주문에 두 가지 통화가 섞여 있으면 원장에 각각 기록하도록 수정',
    '--label',
    'payments',
  )
  await seeded.runInline('block', asks.id, '将结账服务拆分为报价与下单两个模块时，是否保持现有接口不变？')
  await shell('Publish the release notes', '--parent', claimed.id, '--tenant', HOSTILE)
  await seeded.runInline('comment', asks.id, `${HOSTILE} ${'c'.repeat(10_000)}`)
  const hostile = ['--workflow', WORD, '--step', HOSTILE, '--session', HOSTILE, '--label', '<b>x</b>']
  ids.hostile = (
    await shell(
      HOSTILE,
      ...hostile,
      '--hold',
      '--body',
      `${HOSTILE}\n\n${WORD}\n`.repeat(3_000),
      '--check',
      `echo ${WORD}`,
    )
  ).id
  await seeded.create('Look into slow search', '--triage')
  await finish(seeded, (await shell('Cache the tax table')).id)
  await seeded.runInline('boards', 'create', 'empty')
  Object.assign(ids, { asks: asks.id, claimed: claimed.id })
  await seeded.runInline('views', 'save', HOSTILE.slice(0, 40), 'label=payments')
})

const LONG = `Move the handlers.\n\n- \`src/order/place.ts\`\n- ${'x'.repeat(200)}\n\n\u202eright to left\u202c <script>alert(1)</script>`

/** Markup, a script, a terminal sequence, a mark that reverses the text after it, and a long word. */
const WORD = 'w'.repeat(100)
const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> \u202e[a](javascript:alert(1)) ${WORD}`

const finish = (seeded: TestHome, id: string) => seeded.runInline('complete', id, '--summary', 'It is cached.')

const card = (id: string, tab: string): string => `/b/default/${id}?tab=${tab}`

const PAGES: Readonly<Record<string, () => string>> = {
  board: () => '/b/default',
  'board with a filter': () => '/b/default?label=payments',
  'all boards': () => '/all',
  'empty board': () => '/b/empty',
  card: () => `/b/default/${ids.claimed}`,
  question: () => `/b/default/${ids.asks}`,
  transcript: () => card(ids.claimed, 'transcript'),
  changes: () => card(ids.claimed, 'changes'),
  attempts: () => card(ids.claimed, 'attempts'),
  comments: () => card(ids.asks, 'comments'),
  'hostile texts': () => `/b/default/${ids.hostile}`,
  'needs you': () => '/needs-you',
  'activity of a card': () => card(ids.claimed, 'history'),
  'new card': () => '/b/default?create=new',
  graph: () => '/graph/default',
  agents: () => '/agents',
  activity: () => '/activity',
  health: () => '/health',
  'settings of boards': () => '/settings/boards',
  'settings of a board': () => '/settings/boards?name=default',
  tokens: () => '/settings/tokens',
  'settings of the look': () => '/settings/appearance',
  notifications: () => '/settings/notifications',
  shortcuts: () => '/settings/shortcuts',
  machine: () => '/settings/machine',
  'selected cards': () => '/b/default',
  palette: () => '/b/default',
  'no such page': () => '/nowhere',
}

/** The steps of a person before the page is examined. */
const STEPS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async 'selected cards'(page) {
    const card = page.getByRole('article').first()
    await card.getByRole('link').first().focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').waitFor()
  },
  async palette(page) {
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
  },
}

const THEMES = ['light', 'dark'] as const
const LOCALES = ['en-GB', 'ko-KR', 'zh-CN'] as const
const WIDTHS = [360, 390, 768, 1440, 2560] as const
/** The width in pixels below which the browser is that of a phone. */
const PHONE = 640

interface Look {
  readonly theme: (typeof THEMES)[number]
  readonly locale: (typeof LOCALES)[number]
  readonly width: (typeof WIDTHS)[number]
  /** The size of text, in percent. */
  readonly text: 100 | 200
}

const ALL: readonly Look[] = THEMES.flatMap((theme) =>
  LOCALES.flatMap((locale) => [
    ...WIDTHS.map((width) => ({ theme, locale, width, text: 100 }) as const),
    { theme, locale, width: 2560, text: 200 } as const,
  ]),
)

/** A few looks that together have each theme, language, width and size of text. */
const SOME: readonly Look[] = [
  { theme: 'light', locale: 'ko-KR', width: 360, text: 100 },
  { theme: 'dark', locale: 'zh-CN', width: 390, text: 100 },
  { theme: 'light', locale: 'en-GB', width: 768, text: 100 },
  { theme: 'dark', locale: 'en-GB', width: 2560, text: 200 },
  { theme: 'light', locale: 'zh-CN', width: 1440, text: 100 },
]

const isFull = process.env['MUSTER_TEST_PAGES'] === 'all'
const names = Object.keys(PAGES)

test.each(isFull ? ALL : SOME)(
  'every page is accessible and fits in $theme, $locale, $width px, with $text % text',
  async (look) => {
    const page = await openPage(look)
    // Each look gets a share of the pages, so that every page is examined once.
    const at = SOME.indexOf(look)
    const chosen = isFull ? names : names.filter((_, index) => index % SOME.length === at)
    const faults: string[] = []
    for (const name of chosen) faults.push(...(await faultsOf(page, name, look)).map((fault) => `${name}: ${fault}`))
    expect(faults).toEqual([])
  },
)

async function openPage({ theme, locale, width }: Look): Promise<Page> {
  const isPhone = width < PHONE
  return open('/agents', {
    colorScheme: theme,
    locale,
    viewport: { width, height: 900 },
    hasTouch: isPhone,
    expects: [/status of 404/],
  })
}

async function faultsOf(page: Page, name: string, { width, text }: Look): Promise<readonly string[]> {
  const path = PAGES[name] ?? (() => '/')
  const { origin } = new URL(page.url())
  await page.goto(`${origin}${path()}`)
  await untilLive(page)
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await STEPS[name]?.(page)
  await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), text)
  return [
    ...(await violationsOf(page)),
    ...(await layoutFaults(page, width < PHONE ? 44 : 24)),
    ...(await clippedTexts(page)),
    ...((await page.evaluate(() => 'hacked' in globalThis)) ? ['a script of a text ran'] : []),
  ]
}

/** Returns the texts that are cut without an ellipsis, in an element that cannot scroll. */
const clippedTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('h1, h2, h3, p, button, a, dt, dd, label, li')]
      .filter((element) => {
        const { overflowX, textOverflow, webkitLineClamp, position } = getComputedStyle(element)
        const isCut = overflowX === 'hidden' || overflowX === 'clip'
        const isMarked = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
        // A text that is only for screen readers is one pixel wide.
        const isHidden = position === 'absolute' && element.offsetWidth <= 1
        return isCut && !isMarked && !isHidden && element.scrollWidth > element.clientWidth + 1
      })
      .map((element) => `"${element.textContent.slice(0, 40)}" is clipped`),
  )
