/**
 * Tests the parts around the cards of the board: filters, groups, saved views, pause, quick create, and the view of all
 * boards.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open, server } = useDashboard(async (seeded) => {
  await seeded.create('Fix the login', '--assignee', 'shell', '--label', 'urgent', '--priority', '3', '--body', 'true')
  await seeded.create('환불 처리', '--assignee', 'shell', '--label', 'shop', '--tenant', 'acme', '--body', 'true')
  const parent = await seeded.create('Split the checkout', '--label', 'shop', '--body', 'A needle in the body')
  await seeded.create('Remove the old endpoint', '--parent', parent.id)
  const asked = await seeded.create('Refund flow', '--label', 'urgent')
  await seeded.runInline('block', asked.id, 'Which currency do refunds use?', '--kind', 'needs_input')
  await seeded.runInline('boards', 'create', 'work')
  await seeded.runInline('create', 'A card on another board', '--board', 'work', '--label', 'urgent')
})

const titles = (page: Page) => page.getByRole('article').getByRole('heading')
const chips = (page: Page) => page.getByRole('group', { name: 'Filters' })
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function untilTitles(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(async () => (await titles(page).allTextContents()).toSorted()).toEqual(expected.toSorted())
}

test('the URL keeps the filters, and a reload and Back restore them', async () => {
  const page = await open()
  await untilLive(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Label' }).click()
  await page.getByRole('option', { name: /urgent/ }).click()
  await untilTitles(page, ['Fix the login', 'Refund flow'])
  await page.keyboard.press('Escape')
  await chips(page).getByRole('button', { name: 'Remove the filter Label urgent' }).waitFor()
  await chips(page).getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Waits for' }).click()
  await page.getByRole('option', { name: 'A person' }).click()
  await page.keyboard.press('Escape')
  await untilTitles(page, ['Refund flow'])
  expect(new URL(page.url()).search).toBe('?label=urgent&waits=person')
  expect(await column(page, 'Blocked').getByText('1', { exact: true }).isVisible()).toBe(true)

  await page.reload()
  await untilTitles(page, ['Refund flow'])
  await page.goBack()
  await untilTitles(page, ['Fix the login', 'Refund flow'])
  await home.runInline('create', 'Made meanwhile', '--label', 'urgent')
  await untilTitles(page, ['Fix the login', 'Made meanwhile', 'Refund flow'])

  await page.goto(`${server().url}/b/default?status=archived&tenant=nobody`)
  await page.getByRole('heading', { name: 'No cards match these filters' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await titles(page).filter({ hasText: '환불 처리' }).waitFor()
})

test('the search filters the board while a person types, and Escape ends the search', async () => {
  const page = await open()
  await untilLive(page)
  await page.keyboard.press('/')
  await page.keyboard.type('needle')
  await untilTitles(page, ['Split the checkout'])
  expect(new URL(page.url()).searchParams.get('text')).toBe('needle')
  await page.keyboard.press('Escape')
  await titles(page).filter({ hasText: '환불 처리' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('groups have their own columns and counts, and a reload keeps the chosen display', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('button', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'Label' }).click()
  const shop = page.getByRole('region', { name: 'shop 2' })
  await shop.getByRole('heading', { name: '환불 처리' }).waitFor()
  expect(await shop.getByRole('heading', { name: 'Fix the login' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await shop.getByRole('button', { name: 'shop 2' }).click()
  await shop.getByRole('article').first().waitFor({ state: 'detached' })
  await page.goto(`${server().url}/b/default`)
  await shop.waitFor()
})

test('a saved view appears in another tab, and can be opened, renamed and deleted', async () => {
  const page = await open('/b/default?label=urgent')
  await untilLive(page)
  const second = await page.context().newPage()
  await second.goto(`${server().url}/b/work`)
  await untilLive(second)
  await chips(page).getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('긴급')
  await page.keyboard.press('Enter')
  const views = (on: Page) => on.getByRole('region', { name: 'Saved views' })
  await views(page).getByRole('link', { name: '긴급' }).waitFor()
  expect(await views(page).getByRole('link', { name: '긴급' }).getAttribute('aria-current')).toBe('true')
  await views(second).getByRole('link', { name: '긴급' }).click()
  await titles(second).filter({ hasText: 'Refund flow' }).waitFor()
  expect(new URL(second.url()).searchParams.get('label')).toBe('urgent')
  expect((await home.runInline('list', '--view', '긴급')).stdout).toContain('Refund flow')

  await views(second).getByRole('button', { name: 'Actions for the view 긴급' }).click()
  await second.getByRole('menuitem', { name: 'Rename' }).click()
  await second.getByRole('textbox', { name: 'Name of the view' }).fill('Urgent')
  await second.keyboard.press('Enter')
  await views(page).getByRole('link', { name: 'Urgent' }).waitFor()
  await views(page).getByRole('button', { name: 'Actions for the view Urgent' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await views(second).getByRole('link', { name: 'Urgent' }).waitFor({ state: 'detached' })
})

test('a column creates one card after another, also with an agent and more fields', async () => {
  const page = await open()
  await untilLive(page)
  const ready = column(page, 'Ready')
  await ready.getByRole('button', { name: 'Add a card' }).click()
  const input = ready.getByRole('textbox', { name: 'Title of the new card' })
  await input.fill('First of two @sh')
  await ready.getByRole('button', { name: 'shell', exact: true }).waitFor()
  await page.keyboard.press('Tab')
  expect(await input.inputValue()).toBe('First of two @shell ')
  await page.keyboard.press('Enter')
  await ready.getByRole('article').filter({ hasText: 'First of two' }).getByText('shell', { exact: true }).waitFor()
  await page.keyboard.type('Second of two')
  await page.keyboard.press('Enter')
  await ready.getByRole('heading', { name: 'Second of two' }).waitFor()
  await page.keyboard.press('Escape')
  await ready.getByRole('button', { name: 'Add a card' }).waitFor()

  const waiting = column(page, 'Waiting')
  await waiting.getByRole('button', { name: 'Add a card' }).click()
  await page.keyboard.type('Later')
  await page.keyboard.press('Enter')
  await waiting.getByRole('heading', { name: 'Later' }).waitFor()
  await page.keyboard.type('Bigger than a title')
  await page.keyboard.press('Shift+Enter')
  const dialog = page.getByRole('dialog', { name: 'New card' })
  expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Bigger than a title')
})

test('a board can be paused and resumed, and shows who paused the board', async () => {
  const page = await open('/b/work')
  await untilLive(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText(/^Paused by .+ since \d\d:\d\d$/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await home.runInline('pause', 'board', 'work', '--reason', 'A release')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText(/^Paused by/).waitFor({ state: 'detached' })
})

test('one page shows the cards of all boards, and each card names its board', async () => {
  const page = await open('/all?label=urgent')
  const other = page.getByRole('article').filter({ hasText: 'A card on another board' })
  await other.getByText('work', { exact: true }).waitFor()
  await titles(page).filter({ hasText: 'Refund flow' }).waitFor()
  await page.getByRole('button', { name: 'Board: All boards. Switch board' }).click()
  await page.getByRole('option', { name: /^Work/ }).click()
  await page.waitForURL((url) => url.pathname === '/b/work')
})

test('a person can answer a question in the “Needs you” strip of the board', async () => {
  const page = await open()
  await untilLive(page)
  const strip = page.getByRole('region', { name: 'Needs you' })
  await strip.getByText('Which currency do refunds use?').waitFor()
  await strip.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('The currency of the order')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Answered. The agent continues with your answer.').waitFor()
  await strip.waitFor({ state: 'detached' })
})

test('opening a card keeps its column in view', async () => {
  const { id } = await home.create('Blocked in the last column')
  await home.runInline('block', id, 'Which one?', '--kind', 'needs_input')
  const page = await open(`/b/default/${id}`, { viewport: { width: 1280, height: 800 } })
  const drawer = page.getByRole('region', { name: 'Card', exact: true })
  await drawer.getByRole('heading', { name: 'Blocked in the last column' }).waitFor()
  const card = page.getByRole('article').filter({ hasText: 'Blocked in the last column' })
  const right = async (): Promise<number> => {
    const box = await card.boundingBox()
    return (box?.x ?? Infinity) + (box?.width ?? 0)
  }
  const { x: left } = (await drawer.boundingBox()) ?? { x: 0 }
  await expect.poll(async () => (await right()) <= left).toBe(true)
  await home.runInline('delete', id)
})

test('the health page shows why no card starts', async () => {
  const page = await open('/health')
  await page.getByText('No dispatcher is running, so no card starts.').waitFor()
  await page.getByText(home.home).first().waitFor()
})

test('the board counts cards finished since the last visit, and the count links to these cards', async () => {
  const page = await open()
  await untilLive(page)
  await page.evaluate(() => localStorage.setItem('muster-look default', ` ${Date.now() - 3_600_000}`))
  const { id } = await home.create('Finished while away')
  await home.runInline('complete', id, '--summary', 'Done.')
  await page.reload()
  await page.getByRole('button', { name: /^Done/ }).getByText('1 new').waitFor()
  await page.getByRole('link', { name: '1 finished since you last looked' }).click()
  await untilTitles(page, ['Finished while away'])
})

test('a phone shows the number of items that need a person, and nothing scrolls sideways', async () => {
  await home.runInline('block', (await home.create('Blocked again')).id, 'Which one?', '--kind', 'needs_input')
  const page = await open('/b/default?label=urgent', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
  })
  await page.getByRole('link', { name: /1 项待处理/ }).waitFor()
  await page.getByRole('button', { name: '移除条件：标签 urgent' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.getByRole('button', { name: '搜索或跳转…' }).click()
  await page.getByRole('dialog', { name: '搜索或跳转' }).waitFor()
})

test('a column loads further cards when a person scrolls, and keeps them while cards change', async () => {
  const lines = Array.from({ length: 130 }, (_, at) => `Card ${String(at).padStart(3, '0')}`).join('\n')
  await home.runInline('boards', 'create', 'long')
  const file = join(home.home, 'cards.txt')
  writeFileSync(file, lines)
  await home.runInline('create', '--each', file, '--board', 'long')
  const page = await open('/b/long')
  await untilLive(page)
  const list = column(page, 'Ready').getByRole('list')
  const last = (): Promise<boolean> => list.getByRole('heading', { name: 'Card 129' }).isVisible()
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return last()
    })
    .toBe(true)
  await home.runInline('create', 'One more', '--board', 'long')
  await column(page, 'Ready').getByText('131', { exact: true }).waitFor()
  expect(await list.getByRole('heading', { name: 'Card 128' }).isVisible()).toBe(true)
})
