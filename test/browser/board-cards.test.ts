/** Tests the work with cards on the board: by mouse, by keys and by touch, with one card and with several cards. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open } = useDashboard(async (seeded) => {
  const parent = await seeded.create('Parent card', '--assignee', 'shell', '--body', 'true')
  await seeded.create('Child card', '--assignee', 'shell', '--parent', parent.id)
})

/** Creates cards for this test only, so that the tests do not depend on each other. */
const create = async (...titles: readonly string[]): Promise<void> => {
  for (const title of titles) await home.create(title, '--assignee', 'shell', '--body', 'true')
}

async function openBoard(shown: string, options = {}): Promise<Page> {
  const page = await open('/b/default', options)
  await untilLive(page)
  await cardOf(page, shown).waitFor()
  return page
}

const cardOf = (page: Page | Locator, title: string): Locator => page.getByRole('article').filter({ hasText: title })
const columnOf = (page: Page, lane: string): Locator => page.locator(`[data-lane="${lane}"]`)
const railOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${name}`), expanded: false })
const toastOf = (page: Page, text: RegExp | string): Locator => page.getByRole('status').filter({ hasText: text })
const titlesIn = (page: Page, lane: string): Promise<string[]> =>
  columnOf(page, lane).getByRole('article').getByRole('heading').allTextContents()
const focusedTitle = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.textContent ?? undefined)

/** Lifts a card with the mouse and holds the card over a place, without dropping it. */
async function hold(
  page: Page,
  card: Locator,
  over: Locator,
  at: 'top' | 'bottom' | 'middle' = 'middle',
): Promise<void> {
  const from = await card.boundingBox()
  const to = await over.boundingBox()
  if (from === null || to === null) throw new Error('both must be shown')
  await page.mouse.move(from.x + 40, from.y + 14)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 24, { steps: 3 })
  const y = { top: 6, bottom: to.height - 6, middle: Math.min(to.height / 2, 200) }[at]
  await page.mouse.move(to.x + to.width / 2, to.y + y, { steps: 6 })
  await page.mouse.move(to.x + to.width / 2 + 1, to.y + y, { steps: 2 })
}

async function drop(
  page: Page,
  card: Locator,
  over: Locator,
  at: 'top' | 'bottom' | 'middle' = 'middle',
): Promise<void> {
  await hold(page, card, over, at)
  await page.mouse.up()
}

test('the mouse moves a card only to columns that core allows, and Undo moves the card back', async () => {
  await create('Mouse one')
  const page = await openBoard('Mouse one')
  const card = cardOf(page, 'Mouse one')
  await hold(page, card, columnOf(page, 'waiting'))
  await columnOf(page, 'waiting').getByText('Hold here').waitFor()
  expect(await railOf(page, 'Running').locator('[data-drop]').getAttribute('data-drop')).toBe('illegal')
  expect(await railOf(page, 'Done').locator('[data-drop]').getAttribute('data-drop')).toBe('legal')
  await page.mouse.up()
  await columnOf(page, 'waiting').getByText('Mouse one').waitFor()
  await cardOf(page, 'Mouse one').getByText('Held until you move the card on').waitFor()
  await toastOf(page, '“Mouse one” was moved').getByRole('button', { name: 'Undo' }).click()
  await columnOf(page, 'ready').getByText('Mouse one').waitFor()
  // A card that waits for another card cannot be completed.
  const child = cardOf(page, 'Child card')
  await drop(page, child, railOf(page, 'Done'))
  expect(await columnOf(page, 'waiting').getByText('Child card').isVisible()).toBe(true)
})

test('a move that needs a text asks for the text, and Ctrl+Enter confirms the move', async () => {
  await create('Words one')
  await home.create('Blocked already', '--initial-status', 'blocked', '--assignee', 'shell')
  const page = await openBoard('Words one')
  await drop(page, cardOf(page, 'Words one'), columnOf(page, 'blocked'))
  const dialog = page.getByRole('dialog', { name: 'Block “Words one”' })
  await dialog.getByRole('button', { name: 'Block' }).click()
  await dialog.getByText('Enter a text first.').waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Which port?')
  await page.keyboard.press('Control+Enter')
  await columnOf(page, 'blocked').getByText('Words one').waitFor()
  await cardOf(page, 'Words one').getByText('“Which port?”').waitFor()
  expect(await dialog.isVisible()).toBe(false)
})

test("a refused drop returns the card to its column and shows the server's reason", async () => {
  const claimed = await home.create('Claimed by hand', '--assignee', 'shell', '--body', 'true', '--check', 'true')
  await home.runInline('claim', claimed.id)
  const page = await openBoard('Claimed by hand', { expects: [/status of 409/] })
  await drop(page, cardOf(page, 'Claimed by hand'), railOf(page, 'Done'))
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as done' }).click()
  const card = cardOf(columnOf(page, 'running'), 'Claimed by hand')
  await card.getByRole('alert').waitFor()
  expect(await card.getByRole('alert').textContent()).toMatch(/check/)
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => card.getByRole('alert').count()).toBe(0)
  await home.runInline('reclaim', claimed.id)
})

test('the mouse, keys and the card menu reorder the cards of a column', async () => {
  await create('Order a', 'Order b', 'Order c')
  const page = await openBoard('Order c')
  const order = async (): Promise<string> =>
    (await titlesIn(page, 'ready'))
      .filter((title) => title.startsWith('Order'))
      .map((title) => title.slice(-1))
      .join('')
  const listed = async (): Promise<string> => {
    const { stdout } = await home.runInline('board', '--json')
    const { columns } = JSON.parse(stdout) as { columns: { status: string; cards: { title: string }[] }[] }
    const ready = columns.find(({ status }) => status === 'ready')?.cards ?? []
    return ready
      .filter(({ title }) => title.startsWith('Order'))
      .map(({ title }) => title.slice(-1))
      .join('')
  }
  await hold(page, cardOf(page, 'Order c'), cardOf(page, 'Order a'), 'top')
  await page.getByText(/^Ready, position \d+ of \d+$/).waitFor()
  await page.mouse.up()
  await expect.poll(order).toBe('cab')
  await expect.poll(listed).toBe('cab')

  await cardOf(page, 'Order c').getByRole('link').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(listed).toBe('acb')
  expect(await focusedTitle(page)).toBe('Order c')

  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Move to the top' }).click()
  await expect.poll(async () => (await titlesIn(page, 'ready'))[0]).toBe('Order c')
  await page.reload()
  await cardOf(page, 'Order c').waitFor()
  expect((await titlesIn(page, 'ready'))[0]).toBe('Order c')
})

test('keys focus, open, move, select, delete and undo', async () => {
  await create('Keys a', 'Keys b')
  const page = await openBoard('Keys b')
  await page.keyboard.press('j')
  const first = await focusedTitle(page)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  expect(await focusedTitle(page)).toBe(first)
  await cardOf(page, 'Keys a').getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  expect(await focusedTitle(page)).toBe('Keys b')
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('toolbar', { name: '2 cards selected' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('toolbar').count()).toBe(0)
  await page.keyboard.press('ArrowLeft')
  expect(await columnOf(page, 'waiting').locator(':focus').count()).toBe(1)

  await cardOf(page, 'Keys a').getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Card', exact: true }).getByRole('heading', { name: 'Keys a' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname === '/b/default')

  await cardOf(page, 'Keys a').getByRole('link').focus()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: /^Waiting/ }).press('Enter')
  await columnOf(page, 'waiting').getByText('Keys a').waitFor()
  await expect.poll(() => focusedTitle(page)).toBe('Keys a')

  await cardOf(page, 'Keys b').getByRole('link').focus()
  await page.keyboard.press('d')
  await expect.poll(() => cardOf(page, 'Keys b').count()).toBe(0)
  // The focus moves to a neighbouring card, not to the top of the page.
  expect(await columnOf(page, 'ready').locator(':focus').count()).toBe(1)
  await toastOf(page, '“Keys b” was moved to the trash').getByRole('button', { name: 'Undo' }).click()
  await columnOf(page, 'ready').getByText('Keys b').waitFor()
})

test('several cards can be dragged together, and a bulk change names the refused card', async () => {
  await create('Many a', 'Many b', 'Many c')
  const claimed = await home.create('Held by a person', '--assignee', 'shell', '--body', 'true')
  await home.runInline('claim', claimed.id)
  const page = await openBoard('Many c')
  await cardOf(page, 'Many a')
    .getByRole('link')
    .click({ modifiers: ['Control'] })
  await cardOf(page, 'Many c')
    .getByRole('link')
    .click({ modifiers: ['Shift'] })
  const bar = page.getByRole('toolbar', { name: '3 cards selected' })
  await bar.waitFor()
  await drop(page, cardOf(page, 'Many b'), columnOf(page, 'waiting'))
  for (const title of ['Many a', 'Many b', 'Many c']) await columnOf(page, 'waiting').getByText(title).waitFor()
  await toastOf(page, '3 cards were moved').waitFor()
  await expect.poll(() => bar.count()).toBe(0)

  for (const title of ['Many a', 'Many b', 'Held by a person'])
    await cardOf(page, title)
      .getByRole('link')
      .click({ modifiers: ['Control'] })
  await page.getByRole('toolbar').getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('menuitem', { name: 'Unassigned' }).click()
  const toast = toastOf(page, '2 of 3 cards were changed')
  await toast.getByText(/^Held by a person: /).waitFor()
  await page.getByRole('toolbar', { name: '1 card selected' }).waitFor()
  await cardOf(page, 'Held by a person').getByRole('alert').waitFor()
  await cardOf(page, 'Many a').getByText('Unassigned').waitFor()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await cardOf(page, 'Many a').getByText('shell').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('toolbar').count()).toBe(0)
  await home.runInline('reclaim', claimed.id)
})

test('a live change neither moves the focus nor ends a drag', async () => {
  await create('Live a', 'Live b')
  const page = await openBoard('Live b')
  await cardOf(page, 'Live a').getByRole('link').focus()
  const id = await cardOf(page, 'Live a').getAttribute('data-card')
  await home.runInline('schedule', id ?? '')
  await columnOf(page, 'waiting').getByText('Live a').waitFor()
  expect(await focusedTitle(page)).toBe('Live a')

  await hold(page, cardOf(page, 'Live b'), columnOf(page, 'waiting'))
  await home.runInline('create', 'Live from elsewhere', '--assignee', 'shell')
  await cardOf(page, 'Live from elsewhere').waitFor()
  await page.mouse.up()
  await columnOf(page, 'waiting').getByText('Live b').waitFor()
})

test('on a touch screen, the menu of a card moves it', async () => {
  await create('Touch one')
  const page = await openBoard('Touch one', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page
    .getByRole('navigation', { name: 'Columns' })
    .getByRole('button', { name: /^Ready/ })
    .tap()
  const more = page.getByRole('button', { name: 'More actions for Touch one' })
  const box = await more.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await more.tap()
  await page.getByRole('menuitem', { name: 'Move to…' }).tap()
  await page.getByRole('menuitem', { name: /^Waiting/ }).tap()
  await cardOf(columnOf(page, 'waiting'), 'Touch one').waitFor()
  expect(await layoutFaults(page, 44)).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'selected cards, menus and dialogs are accessible in the %s theme',
  async (colorScheme) => {
    await create(`Axe ${colorScheme}`)
    const page = await openBoard(`Axe ${colorScheme}`, { colorScheme })
    const card = cardOf(page, `Axe ${colorScheme}`)
    await card.hover()
    await card.getByRole('link').click({ modifiers: ['Control'] })
    await page.getByRole('toolbar').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: /^Blocked/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('menuitem', { name: /^Blocked/ }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsOf(page)).toEqual([])
  },
)

test('a column of 10,000 cards mounts few cards, and the keys reach the other cards', async () => {
  await home.runInline('boards', 'create', 'big')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'muster-big-'))
  const list = path.join(folder, 'cards.txt')
  for (let batch = 0; batch < 10; batch += 1) {
    writeFileSync(list, Array.from({ length: 1_000 }, (_, at) => `Card ${batch * 1_000 + at}`).join('\n'))
    await home.runInline('create', '--each', list, '--board', 'big', '--assignee', 'shell', '--body', 'true')
  }
  rmSync(folder, { recursive: true })
  const page = await open('/b/big')
  await untilLive(page)
  const mounted = page.getByRole('article')
  await mounted.first().waitFor()
  await columnOf(page, 'ready').getByText('10,000').waitFor()
  expect(await mounted.count()).toBeLessThanOrEqual(200)
  await mounted.first().getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  // A change of one card does not move the focus.
  const before = await focusedTitle(page)
  const id = await mounted.first().getAttribute('data-card')
  await home.runInline('hold', id ?? '')
  await expect.poll(() => page.getByText('On hold').count()).toBe(1)
  expect(await focusedTitle(page)).toBe(before)
  for (let step = 0; step < 80; step += 1) await page.keyboard.press('ArrowDown')
  await expect.poll(async () => page.locator('[data-card]:focus-within').count()).toBe(1)
  expect(await focusedTitle(page)).not.toBe(before)
  expect(await mounted.count()).toBeLessThanOrEqual(200)
})
