/** Tests the page of a card: its parts, its actions, and changes of the card while the page is open. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { BIN } from '../helpers/cli.ts'
import { writeAgent } from '../helpers/run-cards.ts'
import { violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const ids: Record<string, TaskId> = {}
const LONG_WORD = 'w'.repeat(10_000)
const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u001B[31mred\u001B[0m \u202Ereversed ${LONG_WORD}`

const { home, open } = useDashboard(async (seeded) => {
  const make = async (name: string, title: string, ...flags: string[]): Promise<TaskId> => {
    ids[name] = (await seeded.create(title, ...flags)).id
    return ids[name]
  }
  const failing = 'for i in $(seq 40); do echo "line $i"; done; echo "Error: expected 3"; exit 1'
  await make(
    'failed',
    'Migrate the sessions',
    '--assignee',
    'shell',
    '--body',
    'true',
    '--check',
    failing,
    '--max-retries',
    '1',
  )
  await make(
    'author',
    'Clean up',
    '--assignee',
    'shell',
    '--body',
    `${process.execPath} ${BIN} create 'Delete the carts' --assignee shell --body 'echo deleted'`,
  )
  await seeded.dispatch('--wait')
  const written = (await (await seeded.store()).tasks('default')).find(({ title }) => title === 'Delete the carts')
  ids['commands'] = written?.id ?? 't_missing'
  const question = await make('question', 'Refund flow', '--assignee', 'shell')
  await seeded.runInline('block', question, 'Which **currency** do refunds use?')
  const review = await make('review', 'Retry webhooks', '--assignee', 'shell')
  await make('child', 'Publish the notes', '--assignee', 'shell', '--parent', review)
  await seeded.runInline('request-review', review, '--summary', 'Deliveries are retried after 1, 5 and 25 minutes.')
  const other = await make('changes', 'Speed up the search', '--assignee', 'shell')
  await seeded.runInline('request-review', other, '--summary', 'It is faster.')
  await make('plain', 'Split the checkout service', '--body', 'First version', '--label', 'shop')
  await make('steps', 'Ask the lawyers', '--assignee', 'shell')
  await make('parent', 'Design the order table')
  const finished = await make('finished', 'Design the auth schema')
  const metadata = JSON.stringify({ changed_files: ['db/users.sql'], decisions: ['uuid keys'] })
  await seeded.runInline('complete', finished, '--summary', 'One table for users.', '--metadata', metadata)
  writeAgent(seeded, 'tester', 'harness: command\nargs: ["true"]')
  await make('mentions', 'Rename the carts')
  const hostile = await make('hostile', HOSTILE.slice(0, 480), '--body', `${HOSTILE}\n\n${'long text '.repeat(98_000)}`)
  await seeded.runInline('comment', hostile, HOSTILE)
  await seeded.runInline('edit', hostile, '--tenant', HOSTILE, '--session', HOSTILE)
  await seeded.runInline('block', hostile, HOSTILE)
})

const drawer = (page: Page) => page.getByRole('region', { name: 'Card', exact: true })
const part = (page: Page, name: string) => drawer(page).getByRole('region', { name, exact: true })
const button = (page: Page, name: string | RegExp) => drawer(page).getByRole('button', { name })
const footer = (page: Page) => drawer(page).locator('footer')
const status = (page: Page, name: string) => drawer(page).locator('header').getByText(name, { exact: true })

async function openCard(name: string, query = '', options = {}): Promise<Page> {
  const page = await open(`/b/default/${ids[name]}${query}`, options)
  await untilLive(page)
  return page
}

const shown = (name: string) => home.show(ids[name] ?? 't_missing')

/** Presses the button of an action, or chooses it from the menu at the end of the footer. */
async function choose(page: Page, action: string): Promise<void> {
  await footer(page).getByRole('button', { name: 'More actions' }).waitFor()
  const likely = footer(page).getByRole('button', { name: action })
  if ((await likely.count()) > 0) return likely.click()
  await footer(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('an editor shows that another process changed the description, and keeps the typed text', async () => {
  const page = await openCard('plain')
  const description = part(page, 'Description')
  await description.getByText('First version').waitFor()
  await description.getByRole('button', { name: 'Edit' }).click()
  const field = description.getByRole('textbox')
  await field.fill('My version\nsecond line')
  await home.runInline('edit', ids['plain'] ?? '', '--body', 'Their version\nsecond line')
  await description.getByText('Someone changed the description meanwhile.').waitFor()
  expect(await field.inputValue()).toBe('My version\nsecond line')
  await description.getByRole('button', { name: 'Compare' }).click()
  await description.getByText('+ My version').waitFor()
  await description.getByText('− Their version').waitFor()
  await page.reload()
  expect(await field.inputValue()).toBe('My version\nsecond line')
  await description.getByRole('button', { name: 'Keep mine' }).click()
  await field.press('Control+Enter')
  await description.getByRole('button', { name: 'Edit' }).waitFor()
  expect((await shown('plain')).body).toBe('My version\nsecond line')
})

test('the keyboard edits the title and the fields in place, and an invalid value stays in its field', async () => {
  const page = await openCard('plain')
  await button(page, 'Change the title').press('Enter')
  await page.keyboard.type('Split the shop')
  await page.keyboard.press('Enter')
  await drawer(page).getByRole('heading', { name: 'Split the shop' }).waitFor()
  await button(page, /^Change Priority/).press('Enter')
  await page.keyboard.type('high')
  await page.keyboard.press('Enter')
  await drawer(page).getByText('Write a whole number.').waitFor()
  await page.getByRole('textbox', { name: 'Priority' }).fill('7')
  await page.keyboard.press('Enter')
  await button(page, /^Change Priority: 7/).waitFor()
  await button(page, 'All fields').click()
  await button(page, /^Change Time limit/).press('Enter')
  await page.keyboard.type('90m')
  await page.keyboard.press('Enter')
  await button(page, /^Change Time limit: 1 h/).waitFor()
  await button(page, /^Change Labels/).press('Enter')
  await page.keyboard.type('shop, urgent')
  await page.keyboard.press('Escape')
  await button(page, /^Change Labels: shop$/).waitFor()
  expect(await shown('plain')).toMatchObject({
    title: 'Split the shop',
    priority: 7,
    maxRuntimeMs: 5_400_000,
    labels: ['shop'],
  })
})

test('a person can answer a question on the card page, and the card continues', async () => {
  const page = await openCard('question')
  await part(page, 'Why the card waits').getByText('currency', { exact: true }).waitFor()
  await page.keyboard.press('a')
  await page.keyboard.type('The currency of the first item.')
  await page.keyboard.press('Control+Enter')
  await status(page, 'Ready').waitFor()
  expect((await shown('question')).comments.at(-1)).toMatchObject({ body: 'The currency of the first item.' })
})

test('a review shows which card its approval starts, and one key approves the card', async () => {
  const page = await openCard('review')
  await part(page, 'Why the card waits')
    .getByText('Approving marks this card done and starts Publish the notes.')
    .waitFor()
  await part(page, 'Summary').getByText('Deliveries are retried').waitFor()
  await page.keyboard.press('a')
  await status(page, 'Done').waitFor()
  expect((await shown('child')).status).toBe('ready')
})

test('changes are requested with a reason, and an empty reason is not sent', async () => {
  const page = await openCard('changes')
  await footer(page).getByRole('button', { name: 'Request changes…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request changes' })
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Write something first.').waitFor()
  await dialog.getByRole('textbox').fill('Measure it first.')
  await page.keyboard.press('Control+Enter')
  await status(page, 'Ready').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect((await shown('changes')).events.map(({ kind }) => kind)).toContain('changes_requested')
})

test('the page shows the commands of an agent before a person approves the commands', async () => {
  const page = await openCard('commands')
  const waits = part(page, 'Why the card waits')
  await waits.getByText('echo deleted').waitFor()
  await waits.getByText('A new folder').waitFor()
  await waits.getByRole('button', { name: 'Approve these commands' }).click()
  await waits.getByText('echo deleted').waitFor({ state: 'detached' })
  expect((await shown('commands')).commandsApproved).toBe(true)
})

test('a failed check shows the lines with its error, and a button shows all lines', async () => {
  const page = await openCard('failed')
  await part(page, 'Why the card waits').getByText('Stopped after 1 failed attempt').waitFor()
  const checks = part(page, 'Checks')
  await checks.getByRole('img', { name: 'Failed' }).waitFor()
  await checks.getByText('Error: expected 3').first().waitFor()
  expect(await checks.getByText('line 20').count()).toBe(0)
  await checks.getByRole('button', { name: /^Show all 41 lines/ }).click()
  await checks.getByText('line 20').waitFor()
  await drawer(page)
    .getByRole('tab', { name: /^Attempts/ })
    .click()
  const attempt = drawer(page).getByRole('button', { name: /^Attempt 1/ })
  await attempt.waitFor()
  await drawer(page).getByText('failed its checks').waitFor()
  await page.goto(`${page.url().split('?')[0]}?tab=attempts&run=1`)
  await drawer(page).getByRole('button', { name: 'Show the transcript' }).click()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('transcript')
  await page.goBack()
  await drawer(page).getByRole('button', { name: 'Show the transcript' }).waitFor()
})

test('a search links cards, a cycle is refused with a reason, and an unlink can be undone', async () => {
  const page = await openCard('parent', '', { expects: [/status of 409/] })
  const children = part(page, 'Starts after this')
  await children.getByRole('button', { name: 'Add a card that starts after this card' }).click()
  await children.getByRole('combobox').fill('Publish')
  await page.getByRole('option', { name: /Publish the notes/ }).click()
  await children.getByRole('link', { name: 'Publish the notes' }).waitFor()
  const parents = part(page, 'Waits for')
  await parents.getByRole('button', { name: 'Add a card that must finish first' }).click()
  await parents.getByRole('combobox').fill('Publish')
  await page.getByRole('option', { name: /Publish the notes/ }).click()
  await parents.getByRole('alert').getByText('“Publish the notes” already waits for this card').waitFor()
  await children.getByRole('button', { name: 'Remove the dependency on Publish the notes' }).click()
  await page.getByText('Removed the dependency on Publish the notes.').waitFor()
  expect((await shown('parent')).children).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await children.getByRole('link', { name: 'Publish the notes' }).waitFor()
})

/** A picture of one pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('a pasted image is attached, previewed, downloaded, removed and restored', async () => {
  const page = await openCard('parent')
  const files = part(page, 'Attachments')
  await files.waitFor()
  await page.evaluate((bytes) => {
    const data = new DataTransfer()
    const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
    data.items.add(new File([content], 'dot.png', { type: 'image/png' }))
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, IMAGE)
  await files.getByRole('button', { name: 'Preview dot.png' }).click()
  const image = page.getByRole('dialog').getByRole('img', { name: 'dot.png' })
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1)
  await page.keyboard.press('Escape')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Download dot.png' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('dot.png')
  await files.getByRole('button', { name: 'Remove dot.png' }).click()
  await page.getByText('Removed dot.png.').waitFor()
  expect((await shown('parent')).attachments).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await files.getByRole('button', { name: 'Preview dot.png' }).waitFor()
})

test('a comment of another process appears, and a draft survives a reload', async () => {
  const page = await openCard('parent', '?tab=comments')
  const box = drawer(page).getByRole('textbox', { name: 'Write a comment' })
  await box.fill('Half a thought')
  await home.runInline('comment', ids['parent'] ?? '', 'From a terminal')
  await part(page, 'Comments').getByText('From a terminal').waitFor()
  expect(await box.inputValue()).toBe('Half a thought')
  await page.reload()
  expect(await box.inputValue()).toBe('Half a thought')
  await box.fill('A **whole** thought')
  await box.press('Control+Enter')
  await part(page, 'Comments').getByText('whole', { exact: true }).waitFor()
  expect(await box.inputValue()).toBe('')
})

test('each action on a waiting card changes the card, and a deletion can be undone', async () => {
  const page = await openCard('steps', '', { expects: [/status of 404/] })
  await choose(page, 'Hold…')
  await page.getByRole('dialog').getByRole('button', { name: 'Hold' }).click()
  await footer(page).getByRole('button', { name: 'Release' }).click()
  await footer(page).getByRole('button', { name: 'Release' }).waitFor({ state: 'detached' })
  await choose(page, 'Block…')
  await page.getByRole('dialog').getByRole('textbox').fill('Wait for the lawyers.')
  await page.keyboard.press('Control+Enter')
  await status(page, 'Blocked').waitFor()
  await choose(page, 'Schedule…')
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await status(page, 'Scheduled').waitFor()
  await footer(page).getByRole('button', { name: 'Start now' }).click()
  await status(page, 'Ready').waitFor()
  await choose(page, 'Archive')
  await status(page, 'Archived').waitFor()
  await footer(page).getByRole('button', { name: 'Bring back' }).click()
  await status(page, 'Ready').waitFor()
  await choose(page, 'Delete')
  await drawer(page).getByText('This card is in the trash.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await drawer(page).getByText('This card is in the trash.').waitFor({ state: 'detached' })
  await choose(page, 'Duplicate')
  await page.waitForURL((url) => !url.pathname.endsWith(ids['steps'] ?? ''))
  await drawer(page).getByRole('heading', { name: 'Ask the lawyers' }).waitFor()
})

test('a person can claim, give back, complete and reopen a card', async () => {
  const page = await openCard('question')
  await choose(page, 'Work on it myself')
  await status(page, 'Running').waitFor()
  await choose(page, 'End the run…')
  await page.getByRole('dialog').getByRole('button', { name: 'End the run' }).click()
  await status(page, 'Ready').waitFor()
  await footer(page).getByRole('button', { name: 'Complete…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Refunds use one currency.')
  await page.keyboard.press('Control+Enter')
  await status(page, 'Done').waitFor()
  await part(page, 'Summary').getByText('Refunds use one currency.').waitFor()
  await footer(page).getByRole('button', { name: 'Reopen…' }).click()
  await page.keyboard.press('Control+Enter')
  await status(page, 'Ready').waitFor()
})

test('hostile text in a field is harmless and does not widen the page', async () => {
  const page = await openCard('hostile', '', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await part(page, 'Why the card waits').waitFor()
  const wide = async (): Promise<number> =>
    drawer(page).evaluate((element) =>
      Math.max(
        document.documentElement.scrollWidth - 390,
        ...[...element.querySelectorAll('[role=tabpanel]')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      ),
    )
  expect(await wide()).toBeLessThanOrEqual(0)
  await button(page, 'All fields').click()
  expect(await wide()).toBeLessThanOrEqual(0)
  await drawer(page)
    .getByRole('tab', { name: /^Comments/ })
    .click()
  await part(page, 'Comments')
    .getByText(/reversed/)
    .first()
    .waitFor()
  expect(await wide()).toBeLessThanOrEqual(0)
  expect(await page.title()).not.toContain('owned')
  const small = await drawer(page).evaluate(
    (element) =>
      [...element.querySelectorAll('footer button')].filter((one) => one.getBoundingClientRect().height < 44).length,
  )
  expect(small).toBe(0)
})

test('a mention of an agent in a comment creates a card with one click', async () => {
  const page = await openCard('mentions', '?tab=comments')
  await drawer(page).getByRole('textbox', { name: 'Write a comment' }).fill('@tester check the names, @nobody does')
  await page.keyboard.press('Control+Enter')
  await part(page, 'Comments').getByRole('button', { name: 'Create a card for tester' }).click()
  await part(page, 'Comments').getByRole('link', { name: 'Card for tester: check the names, @nobody does' }).waitFor()
  expect(await part(page, 'Comments').getByRole('button').count()).toBe(0)
  const { id, children, comments } = await shown('mentions')
  expect(await home.show(children[0] ?? id)).toMatchObject({
    assignee: 'tester',
    parents: [id],
    idempotencyKey: `mention:${comments[0]?.id}:tester`,
  })
  expect(await violationsOf(page)).toEqual([])
})

test('a finished card shows its hand-over without scrolling', async () => {
  const page = await openCard('finished')
  for (const text of ['One table for users.', 'changed_files', 'uuid keys']) {
    const line = part(page, 'Summary').getByText(text)
    // The text is drawn again when the code for Markdown has arrived.
    const bottom = async (): Promise<number> => {
      const box = await line.boundingBox()
      return box === null ? Infinity : box.y + box.height
    }
    await expect.poll(bottom).toBeLessThan(900)
  }
})

test('a running agent is stopped before the card is held, and a completion runs the checks first', async () => {
  const { id } = await home.create('Count the stock', '--assignee', 'shell', '--body', 'sleep 300')
  ids['live'] = id
  await home.dispatch()
  await home.liveRun(id)
  const page = await openCard('live')
  await footer(page).getByRole('button', { name: 'Stop…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Muster stops the agent and puts the card on hold.').waitFor()
  await page.keyboard.type('Not today.')
  await page.keyboard.press('Control+Enter')
  await footer(page).getByRole('button', { name: 'Release' }).waitFor()
  await home.runInline('edit', id, '--check', 'true')
  await part(page, 'Checks').getByText('true', { exact: true }).waitFor()
  await choose(page, 'Complete…')
  await page.keyboard.type('Counted by hand.')
  await page.keyboard.press('Control+Enter')
  await status(page, 'Done').waitFor()
  await part(page, 'Checks')
    .getByText(/^1 of 1 passed/)
    .waitFor()
  expect((await shown('live')).runs.map(({ outcome }) => outcome)).toEqual(['stopped', 'completed'])
})

test('every part of a card meets WCAG in both themes', async () => {
  const page = await openCard('failed')
  const found: Record<string, readonly string[]> = {}
  for (const colorScheme of ['light', 'dark'] as const)
    for (const tab of ['Overview', /^Attempts/, /^Comments/, 'Activity']) {
      await page.emulateMedia({ colorScheme })
      await drawer(page).getByRole('tab', { name: tab }).click()
      await drawer(page).getByRole('tabpanel').waitFor()
      found[`${colorScheme} ${String(tab)}`] = await violationsOf(page)
    }
  expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([])
})
