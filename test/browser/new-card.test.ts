/** Tests the dialog that creates a card. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open } = useDashboard(async (seeded) => {
  await seeded.create('Split the checkout service', '--assignee', 'shell', '--body', 'true')
  await seeded.runInline('boards', 'create', 'work')
  mkdirSync(join(seeded.home, 'agents'), { recursive: true })
  writeFileSync(
    join(seeded.home, 'agents', 'writer.md'),
    '---\nharness: command\nargs: [no-such-program]\n---\nWrite.\n',
  )
  writeFileSync(join(seeded.home, 'agents', 'zoe.md'), '---\nharness: claude\n---\nTranslate.\n')
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New card' })
const drawer = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Card', exact: true }).getByRole('heading', { name: title })

async function openDialog(path = '/b/default?create=new', options = {}): Promise<Page> {
  const page = await open(path, options)
  await untilLive(page)
  await dialog(page).waitFor()
  return page
}

/** Returns the card that the page shows after the card was created. */
const shownCard = async (page: Page) => {
  await page.waitForURL(/\/b\/\w+\/t_/)
  const [, id = ''] = /\/(t_\w+)/.exec(page.url()) ?? []
  return home.show(id as `t_${string}`)
}

test('creating a card with an agent and a check takes three fields and only the keyboard', async () => {
  const page = await open()
  await untilLive(page)
  const keys = page.keyboard
  await keys.press('c')
  await dialog(page).waitFor()
  let fields = 0
  const fill = async (type: () => Promise<void>): Promise<void> => {
    fields += 1
    await type()
  }
  const tabTo = async (name: RegExp): Promise<void> => {
    const label = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: element } = document
        const labels =
          element instanceof HTMLElement && 'labels' in element ? [...(element.labels as NodeListOf<HTMLElement>)] : []
        return element?.getAttribute('aria-label') ?? labels.map(({ textContent }) => textContent).join(' ')
      })
    for (let presses = 0; !name.test(await label()); presses += 1) {
      if (presses > 12) throw new Error(`no field ${String(name)} within 12 steps`)
      await keys.press('Tab')
    }
  }
  await fill(() => keys.type('Rate-limit the coupons'))
  await tabTo(/^Agent/)
  await fill(async () => {
    await keys.press('Enter')
    await page.getByRole('option', { name: /^shell/ }).waitFor()
    await keys.press('Home')
    await keys.press('Enter')
  })
  await tabTo(/^Add a check/)
  await fill(() => keys.type('npm test'))
  await keys.press('Control+Enter')
  await drawer(page, 'Rate-limit the coupons').waitFor()
  expect(fields).toBeLessThanOrEqual(6)
  expect(await shownCard(page)).toMatchObject({ assignee: 'shell', checks: ['npm test'] })
})

test('a draft survives Escape and a reload, and Discard removes the draft', async () => {
  const page = await openDialog()
  await page.getByRole('button', { name: 'Agent', exact: true }).click()
  await page.getByRole('option', { name: 'writer not installed' }).click()
  await dialog(page)
    .getByText(/^The card waits, because writer cannot run here: .*no-such-program/)
    .waitFor()
  const title = dialog(page).getByRole('textbox', { name: 'Title' })
  await title.fill('Half a thought')
  await dialog(page).getByText('Draft saved').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  expect(await title.inputValue()).toBe('Half a thought')
  await page.reload()
  expect(await title.inputValue()).toBe('Half a thought')
  await dialog(page).getByRole('button', { name: 'Discard draft' }).click()
  expect(await title.inputValue()).toBe('')
})

test('the URL fills in its values only once, so a reload keeps later changes', async () => {
  const page = await openDialog('/needs-you?create=new%3Ftitle%3DFrom+a+link%26status%3Dtriage%26board%3Dwork')
  const title = dialog(page).getByRole('textbox', { name: 'Title' })
  expect(await title.inputValue()).toBe('From a link')
  await dialog(page).getByRole('button', { name: 'Start' }).getByText('Later: put the card into triage').waitFor()
  await title.fill('Changed since')
  await page.reload()
  expect(await title.inputValue()).toBe('Changed since')
  await page.keyboard.press('Control+Enter')
  await drawer(page, 'Changed since').waitFor()
  expect(await shownCard(page)).toMatchObject({ board: 'work', status: 'triage' })
})

test('errors and refusals are shown beside their fields, and no input is lost', async () => {
  const page = await openDialog('/b/default?create=new', { expects: [/status of 400/] })
  await page.keyboard.press('Control+Enter')
  await dialog(page).getByRole('alert').filter({ hasText: 'A card needs a title.' }).waitFor()
  const title = dialog(page).getByRole('textbox', { name: 'Title' })
  await title.fill('Fix the branch')
  await dialog(page).getByRole('button', { name: 'Workspace' }).click()
  await page.getByRole('option', { name: 'A new worktree' }).click()
  await dialog(page).getByRole('textbox', { name: 'Repository' }).fill('/srv/shop')
  const branch = dialog(page).getByRole('textbox', { name: 'Branch' })
  await branch.fill('a..b')
  await page.keyboard.press('Control+Enter')
  await dialog(page)
    .getByRole('alert')
    .filter({ hasText: /branch/i })
    .waitFor()
  expect(await branch.evaluate((element) => element === document.activeElement)).toBe(true)
  expect([await branch.getAttribute('aria-invalid'), await title.inputValue()]).toEqual(['true', 'Fix the branch'])
})

test('an agent without turns gets no goal, and a goal can be changed on the card', async () => {
  const page = await openDialog('/b/default?create=new%3Fassignee%3Dshell', { expects: [/status of 400/] })
  await dialog(page).getByRole('textbox', { name: 'Title' }).fill('Translate the guide')
  await dialog(page).getByRole('button', { name: /^More/ }).click()
  await dialog(page).getByRole('button', { name: 'Goal' }).click()
  await page.getByRole('option', { name: 'Continue until a model accepts the work' }).click()
  await dialog(page).getByRole('textbox', { name: 'Turns allowed' }).fill('5')
  await page.keyboard.press('Control+Enter')
  await dialog(page).getByRole('alert').filter({ hasText: 'it cannot work towards a goal' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Agent' }).click()
  await page.getByRole('option', { name: /^zoe/ }).click()
  await page.keyboard.press('Control+Enter')
  await drawer(page, 'Translate the guide').waitFor()
  await page.getByRole('button', { name: 'Change Goal: Until a model accepts the work, at most 5 turns' }).click()
  await page.getByRole('textbox', { name: 'Turns allowed' }).fill('7')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /at most 7 turns/ }).waitFor()
  expect(await shownCard(page)).toMatchObject({ goal: { judge: 'model', maxTurns: 7 } })
})

test('a search finds a parent, and the next card of a series keeps the agent', async () => {
  const page = await openDialog('/b/default?create=new%3Fassignee%3Dshell')
  const title = dialog(page).getByRole('textbox', { name: 'Title' })
  await title.fill('Remove the old endpoint')
  await dialog(page).getByRole('combobox', { name: 'Waits for' }).fill('checkout')
  await page.getByRole('option', { name: /Split the checkout service/ }).waitFor()
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Remove Split the checkout service' }).waitFor()
  await dialog(page).getByRole('switch', { name: 'Create another' }).click()
  await title.press('Enter')
  await page.getByText('Created Remove the old endpoint').waitFor()
  expect(await title.inputValue()).toBe('')
  expect(await title.evaluate((element) => element === document.activeElement)).toBe(true)
  await dialog(page).getByRole('button', { name: 'Agent', exact: true }).getByText('shell').waitFor()
  // The dialog does not close while it sends the card.
  await dialog(page).locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close' }).click()
  const card = page.getByRole('article').filter({ hasText: 'Remove the old endpoint' })
  await card.getByText('Waits for Split the checkout service').waitFor()
})

test('a file whose upload failed stays in the dialog until a retry succeeds', async () => {
  const page = await openDialog('/b/default?create=new', { expects: [/ERR_FAILED/] })
  await dialog(page).getByRole('textbox', { name: 'Title' }).fill('Read the traffic')
  const body = dialog(page).getByRole('textbox', { name: 'Description' })
  await body.evaluate((element) => {
    const data = new DataTransfer()
    data.items.add(new File(['a,b\n1,2\n'], 'traffic.csv', { type: 'text/csv' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  const files = dialog(page).getByRole('region', { name: 'Files' })
  await files.getByText('traffic.csv').waitFor()
  await page.route('**/attachments?*', (route) => route.abort())
  await page.keyboard.press('Control+Enter')
  await dialog(page).getByText('Card created, but 1 file was not uploaded.').waitFor()
  await page.keyboard.press('Escape')
  await files.getByText('traffic.csv').first().waitFor()
  await page.unroute('**/attachments?*')
  await dialog(page).getByRole('button', { name: 'Upload again' }).click()
  await drawer(page, 'Read the traffic').waitFor()
  expect((await shownCard(page)).attachments).toMatchObject([{ filename: 'traffic.csv', size: 8 }])
})

test('a phone shows the whole dialog without scrolling sideways', async () => {
  const page = await openDialog('/b/default?create=new', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await dialog(page).getByRole('button', { name: 'More' }).click()
  const small = await dialog(page).evaluate((element) => {
    const controls = [...element.querySelectorAll('button, input:not([hidden]), textarea')]
    return controls
      .map(
        (control) =>
          [control.getAttribute('aria-label') ?? control.textContent, control.getBoundingClientRect().height] as const,
      )
      .filter(([, height]) => height > 0 && height < 36)
  })
  expect(small).toEqual([])
  expect(await dialog(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})
