/** Tests the way from a one-time link to a board that shows changes of the store. */
import { expect, test } from 'vitest'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open, openSignedOut, newLink, server, stopServer } = useDashboard(async (seeded) => {
  const parent = await seeded.create('Split the checkout service', '--assignee', 'shell')
  await seeded.create('Remove the old price endpoint', '--assignee', 'shell', '--parent', parent.id)
})

const PHONE = { width: 390, height: 844 }

test('a one-time link signs the browser in and opens the board', async () => {
  const page = await openSignedOut('/b/default', { expects: [/status of 401/] })
  await page.getByRole('heading', { name: 'Sign in to Muster' }).waitFor()
  expect(await page.getByText('muster open').isVisible()).toBe(true)

  const link = await newLink()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Board', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/b/default')
  await page.getByRole('link', { name: 'Split the checkout service', exact: true }).waitFor()

  const other = await openSignedOut(new URL(link).pathname + new URL(link).hash, { expects: [/status of 401/] })
  await other.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})

test('a waiting card shows the reason why it waits', async () => {
  const page = await open()
  const card = page.getByRole('article').filter({ hasText: 'Remove the old price endpoint' })
  await card.getByText('Waits for Split the checkout service').waitFor()
})

test('a card that another process creates appears without a reload', async () => {
  const page = await open()
  await untilLive(page)
  const { code, stderr } = await home.muster('create', 'Made in a terminal', '--assignee', 'shell')
  expect([code, stderr]).toEqual([0, expect.any(String)])
  await page.getByRole('link', { name: 'Made in a terminal' }).waitFor()
})

test('two tabs share one event stream, and the second tab keeps receiving events after the first is closed', async () => {
  const page = await open()
  await untilLive(page)
  const second = await page.context().newPage()
  const streams: string[] = []
  second.on('request', (request) => {
    if (request.url().includes('/api/events')) streams.push(request.url())
  })
  await second.goto(`${server().url}/b/default`)
  await untilLive(second)
  expect(streams).toEqual([])
  await page.close()
  await home.muster('create', 'After the first tab was closed', '--assignee', 'shell')
  await second.getByRole('link', { name: 'After the first tab was closed' }).waitFor()
  expect(streams).toHaveLength(1)
})

test('each card has its own URL, and Back closes the card', async () => {
  const page = await open()
  await page.getByRole('link', { name: 'Split the checkout service', exact: true }).click()
  const drawer = page.getByRole('region', { name: 'Card', exact: true })
  await drawer.getByRole('heading', { name: 'Split the checkout service' }).waitFor()
  await page.reload()
  await drawer.getByRole('heading', { name: 'Split the checkout service' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname === '/b/default')
  await page.goBack()
  await drawer.waitFor()
})

test('a reload keeps the chosen theme and language', async () => {
  const page = await open('/settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.getByRole('radio', { name: '한국어' }).click()
  await page.getByRole('heading', { name: '설정' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '설정' }).waitFor()
  const html = page.locator('html')
  expect([await html.getAttribute('lang'), await html.getAttribute('data-theme')]).toEqual(['ko', 'dark'])
})

test('a shortcut opens the dialog for a new card, and letters typed there are text', async () => {
  const page = await open()
  await untilLive(page)
  await page.keyboard.press('c')
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('')
  await title.pressSequentially('cc')
  expect(await title.inputValue()).toBe('cc')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Card', exact: true }).getByRole('heading', { name: 'cc' }).waitFor()
})

test('a phone opens on the inbox and shows one column of the board at a time', async () => {
  const page = await open('/', { viewport: PHONE, hasTouch: true, isMobile: true })
  await page.getByRole('heading', { name: 'Needs you', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Board' }).click()
  const columns = page.getByRole('navigation', { name: 'Columns' })
  // Nothing runs, so the first column with cards that are not done is shown.
  await columns
    .locator('[aria-current]')
    .filter({ hasText: /Waiting|Ready/ })
    .waitFor()
  await columns.getByRole('button', { name: /^Ready/ }).click()
  await page.getByRole('link', { name: 'Split the checkout service', exact: true }).waitFor()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBe(0)
})

test('the More menu of a phone opens the other pages, boards and views', async () => {
  const page = await open('/needs-you', { viewport: PHONE, hasTouch: true, isMobile: true })
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  for (const name of ['Graph', 'Recurring work', 'Health', 'Settings']) {
    await choose(name)
    await page.getByRole('heading', { name, exact: true }).waitFor()
  }
  expect(await page.getByRole('button', { name: 'More', exact: true }).getAttribute('aria-current')).toBe('page')
  await choose('All boards')
  await page.getByRole('heading', { name: 'All boards', exact: true }).waitFor()
})

test('every screen opens at its own URL', async () => {
  const page = await open()
  for (const [path, name] of [
    ['/needs-you', 'Needs you'],
    ['/agents', 'Agents'],
    ['/activity', 'Activity'],
    ['/settings', 'Settings'],
    ['/all', 'All boards'],
  ] as const) {
    await page.goto(`${server().url}${path}`)
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  }
})

test('a wrong URL shows an explanation', async () => {
  const page = await open('/b/default', { expects: [/status of 404/] })
  await page.goto(`${server().url}/nowhere`)
  await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
})

test('a lost connection is shown, disables commands, and comes back without a reload', async () => {
  const page = await open('/b/default', { expects: [/ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/] })
  await untilLive(page)
  const startAgain = await stopServer()
  await page.getByText(/^Connection lost at/).waitFor()
  const create = page.getByRole('button', { name: 'New card' })
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  await home.runInline('create', 'Made while nobody listens', '--assignee', 'shell')
  // The code of this screen is not loaded yet. It loads when the connection returns.
  await page.getByRole('link', { name: 'Settings' }).click()
  await startAgain()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Made while nobody listens' }).waitFor()
  await untilLive(page)
  expect(await create.getAttribute('aria-disabled')).toBeNull()
})
