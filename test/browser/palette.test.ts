/** Tests the palette: one field that finds cards, places and actions. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open } = useDashboard(async (seeded) => {
  await seeded.create('Split the checkout service', '--body', 'Keep the interface of the quotes')
  await seeded.runInline('boards', 'create', 'work')
  await seeded.runInline('create', '환불 처리', '--board', 'work')
  await seeded.runInline('views', 'save', 'Release', 'label=release')
})

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const option = (page: Page, name: RegExp | string) => palette(page).getByRole('option', { name })

async function openPalette(path = '/b/default'): Promise<Page> {
  const page = await open(path)
  await untilLive(page)
  await page.keyboard.press('Control+k')
  await palette(page).waitFor()
  return page
}

test('the palette finds and opens a card of any board by its title, text or id', async () => {
  const page = await openPalette('/agents')
  await page.keyboard.type('환불')
  await option(page, /환불 처리 work/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/b\/work\/t_/)
  const [, id = ''] = /(t_\w+)/.exec(page.url()) ?? []
  await page.getByRole('heading', { name: '환불 처리' }).first().waitFor()

  await page.keyboard.press('Control+k')
  await palette(page).getByRole('group', { name: 'Recent cards' }).getByText('환불 처리').waitFor()
  await page.keyboard.type('interface of the quotes')
  await option(page, /Split the checkout service/).waitFor()
  await palette(page).getByRole('combobox').fill(id)
  await option(page, /환불 처리/).waitFor()
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
})

test('the keyboard alone reaches places, boards, views and actions', async () => {
  const page = await openPalette()
  await page.keyboard.type('activ')
  await option(page, /^Activity/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/activity$/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('release')
  await option(page, /^Release/)
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/label=release/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('new card')
  await option(page, /^New card/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New card' }).waitFor()
})

test('the palette lists what core allows for the card that had the focus', async () => {
  const { id } = await home.create('Paint the fence')
  const page = await open()
  await untilLive(page)
  const card = page.getByRole('article').filter({ hasText: 'Paint the fence' })
  await card.getByRole('link').first().focus()
  await page.keyboard.press('Control+k')
  const chosen = palette(page).getByRole('group', { name: 'Chosen cards' })
  await chosen.getByRole('option', { name: /^Move to: Blocked Paint the fence/ }).waitFor()
  expect(await chosen.getByRole('option', { name: /^Move to: Running/ }).count()).toBe(0)
  await page.keyboard.type('archive')
  await chosen.getByRole('option', { name: /^Archive/ }).waitFor()
  await page.keyboard.press('Enter')
  await card.waitFor({ state: 'detached' })
  await expect.poll(async () => (await home.show(id)).status).toBe('archived')
})

test('a text without a match becomes the title of a new card', async () => {
  const page = await openPalette()
  await page.keyboard.type('Paint the shed')
  await palette(page).getByText('Nothing found. Enter creates a card with this title.').waitFor()
  await page.keyboard.press('Enter')
  const title = page.getByRole('dialog', { name: 'New card' }).getByRole('textbox', { name: 'Title' })
  await expect.poll(() => title.inputValue()).toBe('Paint the shed')
})

test('Enter does nothing while an input method composes', async () => {
  const page = await openPalette()
  const input = palette(page).getByRole('combobox')
  await input.evaluate((element) => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
  })
  expect(await palette(page).isVisible()).toBe(true)
  await page.reload()
  await palette(page).waitFor()
  expect((await home.runInline('list')).stdout).toContain('Split the checkout service')
})
