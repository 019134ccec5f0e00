// Tests the five jobs for which people open the dashboard, with at most the number of clicks and keys that
// docs/dashboard.md promises.
import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { BIN } from '../helpers/cli.ts'
import type { TestHome } from '../helpers/cli.ts'
import { gitIn } from '../helpers/repository.ts'
import { untilStatus, writeAgent } from '../helpers/run-cards.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const ids = { question: '', review: '', parent: '' }

const { home, open } = useDashboard(async (seeded) => {
  addClaude(seeded)
  const muster = `"${process.execPath}" "${BIN}"`
  const run = async (title: string, status: string, ...flags: readonly string[]) => {
    const { id } = await seeded.create(title, ...flags)
    await seeded.dispatch()
    await untilStatus(seeded, id, status)
    return id
  }
  await run(
    'Add a script that checks the greeting',
    'done',
    '--assignee',
    'claude',
    '--check',
    'test -s test.sh || true',
  )
  const ask = `${muster} block "$MUSTER_TASK" 'Which currency do refunds use?'`
  ids.question = await run('Refund flow', 'blocked', '--assignee', 'shell', '--body', ask)
  const paint = `seq 40 > wall.txt; ${muster} request-review "$MUSTER_TASK" --summary 'The wall is painted.'`
  const worktree = [
    '--workspace',
    `worktree:${makeRepository(seeded)}`,
    '--check',
    'test -s wall.txt',
    '--check',
    'grep -q 40 wall.txt',
  ]
  ids.review = await run('Paint the wall', 'review', '--assignee', 'shell', '--body', paint, ...worktree)
  await seeded.create('Hang the picture', '--assignee', 'shell', '--body', 'true', '--parent', ids.review)
})

/** Puts a script in place of Claude Code on the PATH. Its runs report a cost. */
function addClaude(seeded: TestHome): void {
  const folder = join(seeded.home, '../bin')
  mkdirSync(folder)
  symlinkSync(join(import.meta.dirname, '../fixtures/pages/claude'), join(folder, 'claude'))
  seeded.env['PATH'] = [folder, process.env['PATH']].join(delimiter)
  writeAgent(seeded, 'claude', 'harness: claude')
}

function makeRepository(seeded: TestHome): string {
  const path = join(seeded.home, '../house')
  mkdirSync(path)
  gitIn(path, 'init', '--quiet', '--initial-branch', 'main')
  gitIn(path, 'commit', '--quiet', '--allow-empty', '--message', 'first')
  return path
}

/** Counts the actions of a person. Typing a text counts as one field, not as many keys. */
function counting(page: Page) {
  let count = 0
  const counted = async (act: () => Promise<unknown>): Promise<void> => {
    count += 1
    await act()
  }
  return {
    click: (target: Locator) => counted(() => target.click()),
    press: (key: string) => counted(() => page.keyboard.press(key)),
    count: () => count,
  }
}

const strip = (page: Page) => page.getByRole('region', { name: 'Needs you' })

test('answering a question takes three actions from a cold start', async () => {
  const page = await open('/')
  await untilLive(page)
  const person = counting(page)
  await person.click(strip(page).getByRole('button', { name: 'Answer' }))
  await page.getByText('Which currency do refunds use?').last().waitFor()
  await page.keyboard.type('The currency of the first item.')
  await person.press('Control+Enter')
  await strip(page).getByText('Which currency do refunds use?').waitFor({ state: 'detached' })
  expect(person.count()).toBeLessThanOrEqual(3)
  expect((await home.show(ids.question as `t_${string}`)).status).toBe('ready')
})

test('a waiting card shows its reason on the board without an action', async () => {
  const page = await open('/b/default')
  await untilLive(page)
  const card = page.locator('article').filter({ hasText: 'Hang the picture' })
  await card.getByText(/Waits for .*Paint the wall/).waitFor()
})

test('approving a review takes three actions, including a look at its changes and checks', async () => {
  const page = await open('/')
  await untilLive(page)
  const person = counting(page)
  const item = strip(page).locator('div').filter({ hasText: 'Paint the wall' })
  await person.click(item.getByRole('link', { name: 'Review' }).last())
  await page.getByText('2 of 2 checks').first().waitFor()
  await page.getByText('+40').first().waitFor()
  await person.click(page.getByRole('button', { name: /^Approve/ }).first())
  expect(person.count()).toBeLessThanOrEqual(3)
  await untilStatus(home, ids.review as `t_${string}`, 'done')
})

test('creating a card with an agent and a check takes at most six fields and no mouse', async () => {
  const page = await open('/b/default')
  await untilLive(page)
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New card' }).waitFor()
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: element } = document
      const [label] = element !== null && 'labels' in element ? [...(element.labels as NodeListOf<HTMLElement>)] : []
      return element?.getAttribute('aria-label') ?? label?.textContent ?? ''
    })
  const tabTo = async (name: string): Promise<void> => {
    for (let at = 0; at < 15 && !(await focused()).startsWith(name); at += 1) await page.keyboard.press('Tab')
  }
  await page.keyboard.type('Rate-limit the coupons')
  await tabTo('Agent')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: /^claude/ }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await tabTo('Add a check')
  await page.keyboard.type('npm test')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/t_/)
  const [, id = ''] = /\/(t_\w+)/.exec(page.url()) ?? []
  expect(await home.show(id as `t_${string}`)).toMatchObject({ assignee: 'claude', checks: ['npm test'] })
})

/** Returns a time zone in which it is early morning now, so that the runs of this test were last night. */
function morningZone(): string {
  const offset = 6 - new Date().getUTCHours()
  const hours = offset < -11 ? offset + 24 : offset
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

test('two actions show the cards that finished last night and their cost', async () => {
  const page = await open('/', { timezoneId: morningZone() })
  await untilLive(page)
  const person = counting(page)
  await person.click(page.getByRole('link', { name: 'Activity' }))
  await person.click(page.getByText('Last night', { exact: true }))
  const figures = page.getByRole('region', { name: 'In this period' })
  await expect.poll(() => figures.innerText()).toMatch(/Finished cards\s+[12]\s[^]*\$0\.21/)
  await page.getByText('Add a script that checks the greeting').first().waitFor()
  expect(person.count()).toBeLessThanOrEqual(2)
})
