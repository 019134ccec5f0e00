/** Tests the graph of a board in a browser. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const ids = { design: '', build: '', test: '', alone: '', other: '' }

const { home, open } = useDashboard(async (seeded) => {
  const make = async (title: string, ...flags: readonly string[]): Promise<string> =>
    (await seeded.create(title, ...flags)).id
  ids.design = await make('Design the form')
  ids.build = await make('Build the form', '--parent', ids.design)
  ids.test = await make('Test the form', '--parent', ids.build)
  ids.alone = await make('Alone')
  ids.other = await make('Other', '--parent', await make('Elsewhere'))
})

const node = (page: Page, id: string) => page.locator(`[data-card="${id}"]`)
const link = (page: Page, child: string, parent: string) =>
  page.getByRole('button', { name: `Remove the dependency of ${child} on ${parent}` })

/** Drags from the right edge of one card to another card. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  await node(page, from).hover()
  const [start, end] = await Promise.all([
    node(page, from).locator('.source').boundingBox(),
    node(page, to).locator('.target').boundingBox(),
  ])
  if (start === null || end === null) throw new Error('both cards are in view')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x - 20, end.y, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 4 })
  await page.mouse.up()
}

test('the graph shows linked cards with their status, and follows changes', async () => {
  const page = await open('/graph/default')
  await untilLive(page)
  for (const id of [ids.design, ids.build, ids.test]) await node(page, id).waitFor()
  expect(await node(page, ids.alone).count()).toBe(0)
  expect(await node(page, ids.design).getAttribute('data-status')).toBe('ready')
  const boxes = await Promise.all([ids.design, ids.build, ids.test].map((id) => node(page, id).boundingBox()))
  const lefts = boxes.map((box) => box?.x ?? 0)
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other))
  await home.runInline('block', ids.design, 'Which fields?')
  await node(page, ids.design).getByText('Blocked').waitFor()
  await home.runInline('unblock', ids.design)
  expect(await violationsOf(page)).toEqual([])
})

test('the graph of a card shows only what is linked with it', async () => {
  const page = await open(`/b/default/${ids.build}`)
  await page.getByRole('link', { name: 'Show in the graph' }).click()
  await page.getByText('Around Build the form').waitFor()
  await node(page, ids.design).waitFor()
  expect(await node(page, ids.other).count()).toBe(0)
  await page.getByRole('link', { name: 'Show the whole board' }).click()
  await node(page, ids.other).waitFor()
})

test('a link is added by dragging, and removed and restored by a button', async () => {
  const page = await open('/graph/default')
  await untilLive(page)
  await node(page, ids.other).waitFor()
  await drag(page, ids.design, ids.other)
  await page.getByText('Other now waits for Design the form').waitFor()
  await link(page, 'Other', 'Design the form').waitFor()
  expect((await home.show(ids.other)).parents).toContain(ids.design)
  await link(page, 'Other', 'Design the form').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Other no longer waits for Design the form').waitFor()
  await expect.poll(async () => (await home.show(ids.other)).parents.includes(ids.design)).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await home.show(ids.other)).parents.includes(ids.design)).toBe(true)
  await home.runInline('unlink', ids.design, ids.other)
})

test('a link that would close a cycle is not created', async () => {
  const page = await open('/graph/default')
  await untilLive(page)
  await node(page, ids.test).waitFor()
  await drag(page, ids.test, ids.design)
  expect((await home.show(ids.design)).parents).toEqual([])
})

test('the keyboard moves between cards and opens one', async () => {
  const page = await open(`/graph/default?card=${ids.design}`)
  await node(page, ids.design).locator('a').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Test the form')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/b/default/${ids.test}`)
  await page.goBack()
  await node(page, ids.design).waitFor()
})

test('a graph without links shows an explanation, also on a phone', async () => {
  await home.runInline('boards', 'create', 'empty')
  const page = await open('/graph/empty', { viewport: { width: 390, height: 844 } })
  await page.getByRole('heading', { name: 'No open card waits for another' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})
