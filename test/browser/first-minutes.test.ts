/** Tests the first minutes with an empty board: a first card that runs, and a sample board that is removed again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilLive, useDashboard } from './dashboard.ts'

const { home, open } = useDashboard(undefined, { dispatches: true })

test('a person can load a sample, remove the sample with its files, and run a first card', async () => {
  const page = await open()
  await untilLive(page)
  await page.getByRole('heading', { name: 'Nothing on this board yet' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'shell' }).getByText('Ready').waitFor()

  await page.getByRole('button', { name: 'Load a sample board' }).click()
  await page.waitForURL(/\/b\/sample$/)
  await page.getByRole('note').getByText('This is a sample. It is paused, so nothing on it runs.').waitFor()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  await region('Running').getByText('Split the checkout service').waitFor()
  await region('Review').getByText('Retry webhooks with back-off').waitFor()
  await region('Waiting').getByText('Waits for Split the checkout service').waitFor()
  await region('Blocked').getByText('Which currency do refunds use').waitFor()
  expect(existsSync(join(home.home, 'boards', 'sample'))).toBe(true)
  await page.getByRole('button', { name: 'Remove the sample board' }).click()
  await page.getByText('The sample board was removed.').waitFor()
  expect((await home.runInline('boards', '--json')).stdout).not.toContain('sample')
  expect(existsSync(join(home.home, 'boards', 'sample'))).toBe(false)

  await page.getByRole('button', { name: 'Run a first card' }).click()
  await page.waitForURL(/\/b\/default\/t_/)
  const [, id = ''] = /(t_\w+)/.exec(page.url()) ?? []
  await expect.poll(async () => (await home.show(id as `t_${string}`)).status, { timeout: 20_000 }).toBe('done')
  await page.goto(page.url().replace(`/${id}`, '?status=done'))
  await page.getByRole('article').filter({ hasText: 'Say hello and show the date' }).waitFor()
})
