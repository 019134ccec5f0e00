/** Tests the list of everything that waits for a person, and its actions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { BIN } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { gitIn } from '../helpers/repository.ts'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const HOSTILE = `<img src=x onerror=alert(1)> \u202Eevil\u202C ${'A'.repeat(3_000)} \u001B[31mred`

function makeRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-inbox-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  gitIn(folder, 'init', '-q', '-b', 'main')
  writeFileSync(join(folder, 'one.txt'), 'one\n')
  gitIn(folder, 'add', '-A')
  gitIn(folder, 'commit', '-qm', 'One')
  return folder
}

const repository = makeRepository()
const ids: Record<string, string> = {}

async function seed(home: TestHome): Promise<void> {
  const run = `${process.execPath} ${BIN}`
  const card = async (key: string, title: string, ...flags: string[]): Promise<string> => {
    const { id } = await home.create(title, ...flags)
    ids[key] = id
    return id
  }
  const ask = async (key: string, title: string, question: string): Promise<void> => {
    const id = await card(key, title, '--assignee', 'shell', '--body', 'Let support **refund** an order.')
    await home.runInline('block', id, question, '--kind', 'needs_input')
  }
  await ask('refund', 'Refund flow', 'Which currency do refunds use?\nOrders hold EUR and USD lines.')
  await ask('port', 'Choose a port', 'Which port?')
  await ask('hostile', HOSTILE.slice(0, 400), HOSTILE)
  for (const key of ['webhooks', 'prices'])
    await card(
      key,
      `Change the ${key}`,
      '--assignee',
      'shell',
      '--workspace',
      `worktree:${repository}`,
      '--check',
      `test -f ${key}.txt`,
      '--body',
      `echo hello > ${key}.txt; ${run} request-review "$MUSTER_TASK" --summary 'Changed the ${key}.'`,
    )
  await card(
    'landing',
    'Split the service',
    '--assignee',
    'shell',
    '--workspace',
    `worktree:${repository}`,
    '--body',
    'echo hi > c.txt',
  )
  for (const key of ['migrate', 'rotate'])
    await card(key, `Fail to ${key}`, '--assignee', 'shell', '--body', `echo "no ${key}"; exit 3`, '--max-retries', '1')
  const create = (title: string): string => `${run} create '${title}' --assignee shell --body 'echo ${title}'`
  await card('plan', 'Plan the night', '--assignee', 'shell', '--body', ['one', 'two', 'three'].map(create).join('; '))
  await card('idea', 'Look into slow search', '--triage')
  await card('junk', 'Print packing slips', '--triage')
  await home.runInline('pause', 'account', 'claude', '--reason', 'Log in again')
  // The machine runs at most four cards at once, so several passes are needed.
  for (let passes = 0; passes < 3; passes += 1) await home.dispatch('--wait')
}

const { home, open, stopServer } = useDashboard(seed)

const id = (key: string): `t_${string}` => ids[key] as `t_${string}`
const item = (page: Page, name: string | RegExp) => page.getByRole('article', { name })
const current = (page: Page) => page.locator('article[aria-current=true]')
const isFocused = async (page: Page, name: string | RegExp): Promise<void> => {
  await expect.poll(() => item(page, name).evaluate((element) => element === document.activeElement)).toBe(true)
}

async function openInbox(path = '', options = {}): Promise<Page> {
  const page = await open(`/needs-you${path}`, options)
  await untilLive(page)
  await page.getByRole('list', { name: 'What needs you' }).waitFor()
  return page
}

const countIn = async (page: Page): Promise<number> => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0)

test('two keys answer a question, and a draft answer survives a reload and a lost connection', async () => {
  const page = await openInbox(`?item=${id('refund')}`, {
    expects: [/ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/],
  })
  const before = await countIn(page)
  const about = page.getByRole('complementary', { name: 'About Refund flow' })
  await about.getByText('Attempt 2 starts, and your answer comes first in its briefing.').waitFor()
  await about.getByText('Let support **refund** an order.').waitFor()
  await page.keyboard.press('a')
  await page.keyboard.type('Euro, always')
  await page.reload()
  const field = item(page, 'Which currency do refunds use?').getByRole('textbox', { name: 'Your answer' })
  expect(await field.inputValue()).toBe('Euro, always')
  await untilLive(page)

  const startAgain = await stopServer()
  await page.getByText(/^Connection lost at/).waitFor()
  const send = item(page, 'Which currency do refunds use?').getByRole('button', { name: /^Send answer/ })
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await field.fill('Euro, as always')
  await startAgain()
  await untilLive(page)
  expect(await field.inputValue()).toBe('Euro, as always')

  await field.press('Control+Enter')
  await item(page, 'Which currency do refunds use?').waitFor({ state: 'detached' })
  await isFocused(page, 'Which port?')
  expect(new URL(page.url()).searchParams.get('item')).toBe(id('port'))
  await expect.poll(() => countIn(page)).toBe(before - 1)
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/)
  const answered = await home.show(id('refund'))
  expect([answered.status, answered.answers.at(-1)?.body]).toEqual(['ready', 'Euro, as always'])
})

test('a review shows its checks and changes, and a key approves it or sends it back with a text', async () => {
  const page = await openInbox(`?item=${id('webhooks')}`)
  const review = item(page, 'Change the webhooks')
  await review.getByText('1 of 1 checks').waitFor()
  await review.getByText('1 file', { exact: true }).waitFor()
  await page.getByRole('complementary').getByText('Changed the webhooks.', { exact: true }).waitFor()
  expect(await review.getByRole('link', { name: 'View changes' }).getAttribute('href')).toContain('?tab=changes')
  await page.keyboard.press('r')
  const words = review.getByRole('textbox', { name: 'What must change' })
  await words.press('Control+Enter')
  await review.getByText('Write something first.').waitFor()
  await words.fill('Add a test')
  await words.press('Control+Enter')
  await isFocused(page, 'Change the prices')
  expect((await home.show(id('webhooks'))).status).not.toBe('review')
  await page.keyboard.press('a')
  await item(page, 'Change the prices').waitFor({ state: 'detached' })
  expect((await home.show(id('prices'))).status).not.toBe('review')
})

test('similar commands can be approved together, exactly as listed', async () => {
  const page = await openInbox('?kind=approval')
  const first = current(page)
  await first.getByText('written by shell').waitFor()
  await first.getByText(/^echo (one|two|three)$/).waitFor()
  await first.getByText(/^Runs as .+ on .+, in a folder of its own$/).waitFor()
  await first.getByRole('button', { name: 'Approve 3 similar…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve similar commands' })
  for (const name of ['one', 'two', 'three']) await dialog.getByText(`echo ${name}`, { exact: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: /^two/ }).uncheck()
  await dialog.getByRole('button', { name: 'Approve 2 cards' }).click()
  await page.getByText('Approved the commands of 2 cards').waitFor()
  await isFocused(page, 'two')
  const approved = Object.fromEntries(
    (await (await home.store()).tasks('default', { limit: 100 })).map(({ title, commandsApproved }) => [
      title,
      commandsApproved,
    ]),
  )
  expect(approved).toMatchObject({ one: true, two: false, three: true })
  await item(page, 'two').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('On hold: two. Its commands will not run.').waitFor()
  await page.getByText('Nothing of this kind waits for you.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await item(page, 'two').waitFor()
})

test('a person can resolve failed, unlanded and untriaged cards and accounts in the inbox', async () => {
  // The pane may request a card at the moment at which the card is deleted.
  const page = await openInbox(`?item=${id('migrate')}`, { expects: [/status of 404/] })
  await item(page, 'Fail to migrate').getByText('no migrate').waitFor()
  await page.keyboard.press('a')
  await page.getByText('Retrying: Fail to migrate').waitFor()
  await isFocused(page, 'Fail to rotate')
  expect((await home.show(id('migrate'))).status).toBe('ready')
  await item(page, 'Fail to rotate').getByRole('button', { name: 'Reassign…' }).click()
  await page.getByRole('option', { name: /^shell/ }).click()
  await page.getByText('Fail to rotate goes to shell').waitFor()
  expect((await home.show(id('rotate'))).status).toBe('ready')

  const landing = item(page, 'Split the service')
  await landing.getByRole('button', { name: 'Land', exact: true }).click()
  await page.getByText('Landed on main').waitFor()
  expect((await home.show(id('landing'))).landed).toMatchObject({ into: 'main' })

  const idea = item(page, 'Look into slow search')
  await idea.getByRole('button', { name: 'Assign…' }).click()
  await page.getByRole('option', { name: /^shell/ }).click()
  await idea.getByText('shell', { exact: true }).waitFor()
  await idea.getByRole('button', { name: 'Move to To do' }).click()
  await idea.waitFor({ state: 'detached' })
  expect(await home.show(id('idea'))).toMatchObject({ status: 'ready', assignee: 'shell' })
  await item(page, 'Print packing slips').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Deleted: Print packing slips').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await item(page, 'Print packing slips').waitFor()

  await item(page, 'claude is paused').getByRole('button', { name: 'Resume account' }).click()
  await page.getByText('Account claude resumed').waitFor()
})

test('keys snooze, hide and restore an item of the inbox', async () => {
  const page = await openInbox(`?item=${id('port')}`)
  await page.keyboard.press('h')
  await page.getByRole('menuitem', { name: /^Until tomorrow/ }).waitFor()
  await page.getByRole('menuitem', { name: /^For 1 hour/ }).click()
  await item(page, 'Which port?').waitFor({ state: 'detached' })
  expect((await home.runInline('inbox')).stdout).not.toContain('Which port?')
  await page.getByRole('radio', { name: 'Hidden' }).click()
  await item(page, 'Choose a port')
    .getByText(/^hidden by tester until/)
    .waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await page.getByText('Nothing is hidden.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await item(page, 'Which port?').focus()
  await page.keyboard.press('e')
  await item(page, 'Which port?').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await item(page, 'Which port?').waitFor()
  await item(page, 'Which port?').focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Card', exact: true })
    .getByRole('heading', { name: 'Choose a port' })
    .waitFor()
})

test('a new item moves neither the current item nor the text typed there', async () => {
  const page = await openInbox(`?item=${id('junk')}`)
  const shown = item(page, 'Print packing slips')
  await shown.scrollIntoViewIfNeeded()
  await shown.focus()
  const top = async (): Promise<number> => Math.round((await shown.boundingBox())?.y ?? 0)
  const before = await top()
  const { id: late } = await home.create('Asked late', '--assignee', 'shell')
  await home.runInline('block', late, 'Is it too late?', '--kind', 'needs_input')
  await item(page, 'Is it too late?').waitFor()
  await page.getByRole('status').filter({ hasText: '1 new item' }).waitFor()
  expect(await top()).toBe(before)
  expect(await shown.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.goto(page.url().replace(/item=.*/, `item=${id('plan')}`))
  await page.getByText(`${id('plan')} no longer needs you.`).waitFor()
})

test('a hidden tab notifies about a new item, and the notification opens the item', async () => {
  const page = await open('/settings/notifications', { permissions: ['notifications'] })
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await page.addInitScript(() => {
    const shown: unknown[] = []
    class Recorded extends EventTarget {
      static readonly permission = 'granted'
      constructor(title: string, { body }: { readonly body: string }) {
        super()
        shown.push({ title, body, click: () => this.dispatchEvent(new Event('click')) })
      }
      close(): void {}
    }
    Object.assign(globalThis, { Notification: Recorded, shownNotices: shown })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
  const { origin } = new URL(page.url())
  // Only items that come after the first answer are new.
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/inbox')),
    page.goto(`${origin}/b/default`),
  ])
  await untilLive(page)
  interface Shown {
    readonly shownNotices: readonly { readonly title: string; readonly body: string; readonly click: () => void }[]
  }
  const notices = () =>
    page.evaluate(() => (globalThis as unknown as Shown).shownNotices.map(({ title, body }) => ({ title, body })))
  const { id: asks } = await home.create('Pick a colour', '--assignee', 'shell')
  await home.runInline('block', asks, 'Which colour?', '--kind', 'needs_input')
  await expect.poll(notices).toEqual([{ title: 'An agent asks', body: 'Which colour?\nPick a colour' }])
  await page.evaluate(() => (globalThis as unknown as Shown).shownNotices[0]?.click())
  await page.waitForURL((url) => url.searchParams.get('item') === asks)
  await item(page, 'Which colour?').waitFor()
})

test.each([
  ['light', 1440],
  ['dark', 768],
] as const)('the list has no violation of WCAG in the %s theme at %i px', async (colorScheme, width) => {
  const page = await openInbox('', { colorScheme, viewport: { width, height: 900 } })
  await item(page, /evil/).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await layoutFaults(page, 24)).toEqual([])
})

test('on a phone, a person can answer a question by touch', async () => {
  const page = await openInbox('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  expect(await layoutFaults(page, 44)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
  const asked = item(page, 'Is it too late?')
  await asked.getByRole('textbox', { name: 'Your answer' }).tap()
  await asked.getByRole('button', { name: 'More about this item' }).tap()
  await asked.getByText(/^Attempt 2 starts/).waitFor()
  await asked.getByRole('textbox', { name: 'Your answer' }).fill('No')
  await asked.getByRole('button', { name: /^Send answer/ }).tap()
  await asked.waitFor({ state: 'detached' })
})
