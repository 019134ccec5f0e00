/** Tests the settings of boards, of tokens, of this browser and of this machine. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open, openSignedOut, newLink, server } = useDashboard(async (seeded) => {
  await seeded.create('Split the checkout service', '--assignee', 'shell')
})

async function openSettings(part: string, options = {}): Promise<Page> {
  const page = await open(`/settings/${part}`, options)
  await untilLive(page)
  return page
}

const saved = async (slug: string) => (await (await home.store()).board(slug))?.settings

test('a board can be created, renamed, archived, restored and deleted', async () => {
  const page = await openSettings('boards')
  await page.getByRole('button', { name: 'New board' }).click()
  const form = page.getByRole('dialog', { name: 'New board' })
  await form.getByRole('textbox', { name: 'Short name' }).fill('no spaces')
  await form.getByRole('button', { name: 'Create board' }).click()
  await form
    .getByRole('alert')
    .getByText(/^Use 1 to 64 of/)
    .waitFor()
  await form.getByRole('textbox', { name: 'Short name' }).fill('night')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Night shift')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings of Night shift' }).waitFor()
  await page.getByRole('button', { name: 'All boards' }).click()

  const choose = async (entry: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: /^More about (Night|Late)/ }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose('Rename…')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Late shift')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Late shift', exact: true }).waitFor()
  await choose('Open first in this browser')
  await page.getByText('opens first here').waitFor()
  await choose('Archive')
  await page.getByText('Late shift is archived. Its cards do not start.').waitFor()
  await page.getByText('archived', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Late shift is restored').waitFor()
  await page.getByText('archived', { exact: true }).waitFor({ state: 'detached' })
  await choose('Archive')
  await page.getByText('archived', { exact: true }).waitFor()
  await choose('Delete…')
  const confirm = page.getByRole('dialog', { name: 'Delete Late shift?' })
  const remove = confirm.getByRole('button', { name: 'Delete board' })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await confirm.getByRole('textbox').fill('night')
  await remove.click()
  await page.getByText('Late shift was deleted').waitFor()
  expect(await (await home.store()).board('night')).toBeNull()
})

test('board settings accept units, show errors beside their fields, and are saved together', async () => {
  const page = await openSettings('boards?board=default')
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('Running cards').fill('3')
  await field('Time without output').fill('2h')
  await field('Failures in a row').fill('0')
  await page.getByRole('alert').getByText('Type a whole number of at least 1.').waitFor()
  await field('Active hours').fill('late')
  await page.getByText('2 fields have an error').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect(await saved('default')).toMatchObject({ maxRunning: null })
  await page.getByRole('button', { name: 'Reset Failures in a row to its default' }).click()
  await field('Active hours').fill('22:00-07:00')
  await page.getByRole('switch', { name: 'Share directories' }).click()
  await page.getByRole('button', { name: 'Default agent', exact: true }).click()
  await page.getByRole('option', { name: /^shell/ }).click()
  await page.getByText('5 changes are not saved').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Settings of Default saved').waitFor()
  expect(await saved('default')).toMatchObject({
    maxRunning: 3,
    staleMs: 7_200_000,
    activeHours: '22:00-07:00',
    sharedDirectories: true,
    defaultAssignee: 'shell',
  })
  await home.runInline('boards', 'set', 'default', 'maxRunning=7')
  await expect.poll(() => field('Running cards').inputValue()).toBe('7')
  await field('Running cards').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await saved('default'))?.maxRunning).toBeNull()
})

test('a token is shown once, works, and stops working when it is revoked', async () => {
  const page = await openSettings('tokens')
  await page.getByText('No program has a token.').waitFor()
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Name of the program' }).fill('backup script')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'Token for backup script' })
  const token = (await shown.getByText(/^muster_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'Done' }).click()
  expect(await page.getByText(token).count()).toBe(0)
  const ask = (path: string, init = {}) =>
    fetch(`${server().url}/api/${path}`, { headers: { authorization: `Bearer ${token}` }, ...init })
  expect((await ask('boards')).status).toBe(200)
  expect((await ask('boards', { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status).toBe(403)
  await page.getByRole('button', { name: 'Revoke backup script' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No program has a token.').waitFor()
  expect((await ask('boards')).status).toBe(401)
})

test('an action that the session may not take is disabled, with the reason', async () => {
  const page = await openSettings('boards')
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), scope: 'read' } })
  })
  await page.reload()
  const create = page.getByRole('button', { name: 'New board' })
  await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
  await create.focus()
  await page
    .getByRole('tooltip')
    .getByText(/scope read, but the action needs admin/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Settings of Default' }).click()
  expect(await page.getByRole('textbox', { name: 'Running cards', exact: true }).isDisabled()).toBe(true)
})

test('the settings show the machine, the keys and the notifications, and sign the browser out', async () => {
  // This page has its own session, which the test ends.
  const { pathname, hash } = new URL(await newLink())
  const page = await openSignedOut(`${pathname}${hash}/settings/machine`, { expects: [/status of 401/] })
  await page.getByText(home.home, { exact: true }).waitFor()
  await page.getByText('This browser').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Shortcuts' }).click()
  await page.getByText('New card', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor()
  await page.getByRole('link', { name: 'This machine' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Muster' }).waitFor()
  const again = await openSignedOut('/settings/machine', { expects: [/status of 401/] })
  await again.getByRole('heading', { name: 'Sign in to Muster' }).waitFor()
})

test('on a phone the settings have large targets and do not scroll sideways', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await openSettings('boards?board=default', { ...phone, colorScheme: 'dark' })
  await page.getByRole('textbox', { name: 'Running cards', exact: true }).waitFor()
  expect(await layoutFaults(page, 44)).toEqual([])
  expect(await violationsOf(page)).toEqual([])
})
