/** Tests the transcript of an attempt and its raw log in a browser. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { runDirectory } from '../../src/runs/files/run-directory.ts'
import type { TestHome } from '../helpers/cli.ts'
import { violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-transcript-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file to which a test appends text. The agent prints this text, until another file exists. */
const CONTROL = join(folder, 'control')
const STOP = join(folder, 'stop')
const PRINTS = `tail -n +1 -f '${CONTROL}' & printer=$!; while [ ! -e '${STOP}' ]; do sleep 0.1; done; kill $printer`

const json = (value: object): string => `${JSON.stringify(value)}\n`
const says = (text: string): string => json({ type: 'assistant', message: { content: [{ type: 'text', text }] } })
let calls = 0
function call(name: string, input: object, output: string, isError = false): string {
  calls += 1
  const id = `call-${calls}`
  return (
    json({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } }) +
    json({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: output }] },
    })
  )
}

const TESTS = Array.from({ length: 1_200 }, (_, at) => `  ok ${at}`)
const STREAM = [
  json({ type: 'system', subtype: 'init', session_id: 's-1', tools: ['Bash'] }),
  says('I look at the **inventory** first. <script>document.title = "hacked"</script> \u202Ereversed'),
  call('Read', { file_path: 'src/reserve.ts' }, 'one\ntwo'),
  call(
    'Bash',
    { command: 'npm test' },
    [
      'Exit code 1',
      ...TESTS.slice(0, 600),
      'the needle is here',
      ...TESTS.slice(600),
      '\u001B[31mError: expected 1\u001B[0m',
    ].join('\n'),
    true,
  ),
  call('Edit', { file_path: 'src/reserve.ts', old_string: 'const a = 1', new_string: 'const a = 2' }, 'edited'),
  says('W'.repeat(10_000)),
  call('mcp__muster__kanban_complete', { summary: 'The clock comes from the transaction' }, '{"recorded":"ok"}'),
  json({ type: 'result', total_cost_usd: 0.31, usage: { input_tokens: 41_000, output_tokens: 600 } }),
].join('')

const ids: Record<string, TaskId> = {}

/** Replaces the log of the last attempt by the stream of another program. */
async function replaceLog(home: TestHome, id: TaskId, log: string): Promise<void> {
  const { runs } = await home.show(id)
  const run = runs.at(-1)
  if (run === undefined) throw new Error('the card has not run')
  const { log: path, ticket } = runDirectory(home.home, run.id)
  rmSync(ticket)
  writeFileSync(path, log)
  writeFileSync(`${path}.times`, `${run.startedAt + 65_000} ${Buffer.byteLength(log)}\n`)
}

const { home, open } = useDashboard(async (seeded) => {
  writeFileSync(CONTROL, 'first line\n')
  ids['live'] = (await seeded.create('Prints on command', '--assignee', 'shell', '--body', PRINTS)).id
  ids['claude'] = (await seeded.create('Fix flaky inventory test', '--assignee', 'shell', '--body', 'true')).id
  ids['waiting'] = (await seeded.create('Waits', '--assignee', 'shell', '--body', 'true', '--parent', ids['live'])).id
  const done = async (id: TaskId): Promise<void> => {
    await seeded.dispatch()
    await seeded.until('it is done', async () => (await seeded.show(id)).status === 'done')
  }
  await done(ids['claude'])
  await seeded.runInline('reopen', ids['claude'], '--reason', 'once more')
  await done(ids['claude'])
  await replaceLog(seeded, ids['claude'], STREAM)
  await seeded.liveRun(ids['live'])
})
afterAll(() => writeFileSync(STOP, ''))

const log = (page: Page) => page.getByRole('log', { name: /^Transcript of attempt/ })
const show = (page: Page, key: string, query = ''): Promise<unknown> =>
  page.goto(`${new URL(page.url()).origin}/b/default/${ids[key] ?? ''}?tab=transcript${query}`)

/**
 * Returns the first visible row and its position. Its distance from the start changes when earlier rows are measured.
 */
const placeOf = (page: Page): Promise<string> =>
  log(page).evaluate(async (element) => {
    // The list reacts to scrolling only in the next frames.
    for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame)
    const { top } = element.getBoundingClientRect()
    const rows = [...element.querySelectorAll<HTMLElement>('[data-row]')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top)
    return first === undefined ? '' : `${first.innerText} at ${Math.round(first.getBoundingClientRect().top - top)}`
  })

async function openTranscript(key: string, query = '', options = {}): Promise<Page> {
  return open(`/b/default/${ids[key] ?? ''}?tab=transcript${query}`, options)
}

test('a live run is followed until the reader scrolls up, and mounts a bounded number of rows', async () => {
  const page = await openTranscript('live')
  await untilLive(page)
  await log(page).getByText('first line', { exact: true }).waitFor()
  appendFileSync(CONTROL, Array.from({ length: 5_000 }, (_, at) => `line ${at}\n`).join(''))
  await log(page).getByText('line 4999', { exact: true }).waitFor()
  const following = page.getByRole('button', { name: 'Following' })
  expect(await following.getAttribute('aria-pressed')).toBe('true')
  expect(await page.locator('[data-row]').count()).toBeLessThan(200)

  await log(page).hover()
  await page.mouse.wheel(0, -3_000)
  await page.getByRole('button', { name: /Follow$/ }).waitFor()
  // Returns the first position that stays the same after scrolling has ended.
  let place = ''
  await expect.poll(async () => place === (place = await placeOf(page))).toBe(true)
  appendFileSync(CONTROL, 'later one\nlater two\n')
  await page.getByRole('button', { name: '2 new Follow' }).waitFor()
  expect(await placeOf(page)).toBe(place)
  await page.keyboard.press('f')
  await log(page).getByText('later two', { exact: true }).waitFor()
  await following.waitFor()
  await page.keyboard.press('Home')
  await log(page).getByText('line 3', { exact: true }).waitFor()

  writeFileSync(STOP, '')
  await page.getByRole('region', { name: 'Card', exact: true }).getByText('Done', { exact: true }).first().waitFor()
  await following.waitFor({ state: 'detached' })
})

test('a call shows its result or change, and a long output shows only the lines around its errors', async () => {
  const page = await openTranscript('claude')
  await log(page).getByText('$0.31').waitFor()
  await page.keyboard.press('Home')
  const failed = log(page).getByRole('button', { name: /^Run npm test/ })
  expect(await failed.getAttribute('aria-expanded')).toBe('true')
  await log(page).getByText('exit 1').waitFor()
  await log(page).getByText('01:05').first().waitFor()
  const output = log(page).getByRole('group', { name: 'Output of npm test' })
  expect(await output.textContent()).toBe('Error: expected 1')
  await log(page).getByText('1 of 1,203 lines').waitFor()
  await log(page).getByRole('button', { name: 'Show all' }).click()
  await output.getByText('ok 3', { exact: true }).waitFor()
  await log(page).getByRole('button', { name: 'Show less' }).click()
  const read = log(page).getByRole('button', { name: /^Read src\/reserve\.ts/ })
  await read.click()
  await log(page).getByRole('group', { name: 'Output of src/reserve.ts' }).getByText('one').waitFor()
  await log(page).getByRole('group', { name: 'Change of src/reserve.ts' }).getByText('const a = 2').waitFor()
  // The output of the agent is shown as text, and cannot change the page.
  expect(await page.title()).not.toContain('hacked')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})

test('a search finds text in closed rows and in parts that are not loaded', async () => {
  const page = await openTranscript('claude', '&search=needle')
  const count = page.getByText('1 of 1', { exact: true })
  await count.waitFor()
  await log(page).getByText('the needle is here').waitFor()
  const painted = (): Promise<number> => page.evaluate(() => CSS.highlights.get('muster-found-current')?.size ?? 0)
  await expect.poll(painted).toBe(1)
  const field = page.getByRole('textbox', { name: 'Search the transcript' })
  await field.fill('reserve.ts')
  await page.getByText('1 of 2', { exact: true }).waitFor()
  await field.press('Enter')
  await page.getByText('2 of 2', { exact: true }).waitFor()
  await field.fill('nowhere at all')
  await page.getByText('No match').waitFor()
  await field.press('Escape')
  expect([await field.inputValue(), new URL(page.url()).searchParams.get('search')]).toEqual(['', null])
})

test('the URL contains the filters, the attempt and the raw view', async () => {
  const page = await openTranscript('claude')
  await page.getByRole('radio', { name: 'Messages' }).click()
  await log(page).getByText('inventory').waitFor()
  expect(await log(page).getByRole('button', { name: /^Run/ }).count()).toBe(0)
  await page.getByRole('radio', { name: 'Changes', exact: true }).click()
  await log(page).getByText('const a = 2').waitFor()
  expect(new URL(page.url()).searchParams.get('rows')).toBe('changes')
  await page.getByRole('button', { name: 'Attempt 2' }).click()
  await page.getByRole('menuitem', { name: 'Attempt 1' }).click()
  await page.getByText('Nothing of this kind').waitFor()
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await page.getByRole('log', { name: 'Transcript of attempt 1' }).waitFor()
  await page.goBack()
  await page.getByText('Nothing of this kind').waitFor()

  await show(page, 'claude', '&rows=raw')
  await log(page).getByText('"total_cost_usd":0.31').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More of this transcript' }).click()
  await page.getByRole('menuitem', { name: 'Download the log' }).click()
  expect((await download).suggestedFilename()).toMatch(/^t_\w+-2\.log$/)
  await page.getByRole('button', { name: 'Transcript', exact: true }).click()
  await log(page).getByText('$0.31').waitFor()
})

test('the page explains a card that has not run, and a deleted log', async () => {
  const page = await openTranscript('waiting', '', { expects: [/status of 404/] })
  await page.getByRole('heading', { name: 'No attempt yet' }).waitFor()
  const { runs } = await home.show(ids['claude'])
  rmSync(dirname(runDirectory(home.home, runs[0]?.id ?? 'r_none').log), { recursive: true })
  await show(page, 'claude', '&run=1')
  await page.getByText('The log of this attempt was deleted.').waitFor()
})

test('on a phone, hostile output keeps the layout, and a menu has the filters', async () => {
  const hostile = `\u001B]0;title\u0007<img src=x onerror="document.title='hacked'">\n${'x'.repeat(5_000_000)}\n\u202Ereversed\n\u001B[32mgreen\u001B[0m end\n`
  await runWithOutput(hostile)
  const page = await openTranscript('hostile', '', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await log(page).getByText('green').waitFor()
  await log(page).getByText('<img src=x').waitFor()
  expect(await page.title()).not.toContain('hacked')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.getByRole('button', { name: 'More of this transcript' }).click()
  await page.getByRole('menuitem', { name: 'Messages' }).waitFor()
})

/** Makes a run whose whole output is plain text. */
async function runWithOutput(text: string): Promise<void> {
  const { id } = await home.create('Hostile output', '--assignee', 'shell', '--body', 'true')
  ids['hostile'] = id
  await home.dispatch()
  await home.until('it is done', async () => (await home.show(id)).status === 'done')
  const run = (await home.show(id)).runs.at(-1)
  writeFileSync(runDirectory(home.home, run?.id ?? 'r_none').log, text)
}
