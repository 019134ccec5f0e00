/** Tests the changes of a worktree card in a browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { gitIn } from '../helpers/repository.ts'
import { writeAgent } from '../helpers/run-cards.ts'
import { layoutFaults, violationsOf } from './axe.ts'
import { untilLive, useDashboard } from './dashboard.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-changes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const repo = join(folder, 'shop')

const RESERVE = `export async function reserve(tx, sku) {
  const now = Date.now()
  return { sku, now }
}
`
const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `const n${at} = ${at}\n`).join('')

function makeRepository(): void {
  mkdirSync(join(repo, 'src'), { recursive: true })
  gitIn(repo, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(repo, 'src', 'reserve.ts'), RESERVE)
  writeFileSync(join(repo, 'src', 'values.ts'), numbered(400))
  writeFileSync(join(repo, 'old.ts'), numbered(20))
  writeFileSync(join(repo, 'logo.png'), '\u0089PNG\0\0')
  writeFileSync(join(repo, 'long.txt'), numbered(9_000))
  gitIn(repo, 'add', '--all')
  gitIn(repo, 'commit', '--quiet', '--message=first')
}

const WORK = `sed -i.bak 's/Date.now()/await tx.now()/' src/reserve.ts
sed -i.bak '200s/= 199/= "<img src=x>"/' src/values.ts
rm src/*.bak
git mv old.ts new.ts
printf '\\211PNG\\0\\0\\1' > logo.png
sed -i.bak 's/const/let/' long.txt && rm long.txt.bak
printf 'no newline \\342\\200\\256 reversed' > bidi.txt
printf '%05000d' 7 > wide.txt
for at in $(seq 1 150); do mkdir -p gen; echo "const made = $at" > gen/file-$at.ts; done
`

const ids = { work: '', plain: '', waits: '', contest: '' }

const { home, open } = useDashboard(async (seeded) => {
  makeRepository()
  const shell = ['--assignee', 'shell', '--body']
  const work = await seeded.create('Clock', ...shell, WORK, '--workspace', `worktree:${repo}`)
  const plain = await seeded.create('No worktree', ...shell, 'true')
  ids.work = work.id
  ids.plain = plain.id
  for (const name of ['quick', 'careful', 'unlucky']) writeAgent(seeded, name, 'harness: shell')
  const contest = await seeded.create(
    'Name the release',
    '--best-of',
    '3',
    '--agents',
    'quick,careful,unlucky',
    '--workspace',
    `worktree:${repo}`,
    '--max-retries',
    '1',
    '--check',
    'test -s name.txt',
    '--body',
    '[ "$MUSTER_AGENT" != unlucky ] || exit 3; echo "named by $MUSTER_AGENT" | tee name.txt',
  )
  ids.contest = contest.id
  // The machine runs at most four cards at once, and the last pass sees that no entry is playing.
  for (let passes = 0; passes < 3; passes += 1) await seeded.dispatch('--wait')
  for (const { id } of [work, plain])
    await seeded.until('it is done', async () => (await seeded.show(id)).status === 'done')
  ids.waits = (await seeded.create('Waits', ...shell, 'true', '--workspace', `worktree:${repo}`)).id
})

const openChanges = (id: string, query = '', options = {}): Promise<Page> =>
  open(`/b/default/${id}?tab=changes${query}`, options)

const lines = (page: Page) => page.getByRole('region', { name: 'Changes', exact: true })
const head = (page: Page, name: string) => lines(page).getByRole('button', { name: new RegExp(`file .*${name}`) })

test('each file shows its kind of change, and each changed line its changed words', async () => {
  const page = await openChanges(ids.work, '&file=src/reserve.ts')
  await lines(page).getByText('await', { exact: true }).waitFor()
  await page.getByText('Not landed yet').waitFor()
  await page.getByText(/^157 files/).waitFor()
  expect(await page.locator('[data-row]').count()).toBeLessThan(300)
  await head(page, 'reserve.ts').waitFor()
  // Unchanged lines are left out, and shown on demand.
  await lines(page).getByText('"<img src=x>"').waitFor()
  await lines(page).getByRole('button', { name: 'Show 196 unchanged lines' }).click()
  await lines(page).getByText('n3', { exact: false }).first().waitFor()
  await page.getByRole('radio', { name: 'Side by side' }).click()
  await lines(page).getByText('await', { exact: true }).waitFor()
  await page.reload()
  expect(await page.getByRole('radio', { name: 'Side by side' }).getAttribute('aria-checked')).toBe('true')
  await page.getByRole('radio', { name: 'Unified' }).click()
  expect(await violationsOf(page)).toEqual([])
})

test('a file without lines shows the reason, and keys move between files', async () => {
  const page = await openChanges(ids.work, '&file=bidi.txt')
  await untilLive(page)
  await lines(page).getByText('no newline \uFFFD reversed').waitFor()
  await lines(page).getByText('No newline at the end of the file').first().waitFor()
  await page.keyboard.press(']')
  await page.waitForURL((url) => url.searchParams.get('file') === 'logo.png')
  await lines(page).getByText('Binary file. It is not shown.').waitFor()
  await page.keyboard.press(']')
  await page.waitForURL((url) => url.searchParams.get('file') === 'long.txt')
  await lines(page).getByText('const n3 = 3', { exact: true }).waitFor()
  await page.keyboard.press('v')
  await page.getByText('1 viewed').waitFor()
  await page.keyboard.press(']')
  await page.waitForURL((url) => url.searchParams.get('file') === 'new.ts')
  await lines(page).getByText('from old.ts').waitFor()
  await lines(page).getByText('The content is the same.').waitFor()
  await page.reload()
  await page.getByText('1 viewed').waitFor()
})

test('a search finds changed lines and file names in all files', async () => {
  const page = await openChanges(ids.work)
  const field = page.getByRole('textbox', { name: 'Search the changes' })
  await field.fill('MADE = 77')
  await page.getByText(/^1 of 157 files/).waitFor()
  await head(page, 'file-77.ts').waitFor()
  const painted = (): Promise<number> => page.evaluate(() => CSS.highlights.get('muster-found')?.size ?? 0)
  await expect.poll(painted).toBe(1)
  await field.fill('reserve')
  await head(page, 'reserve.ts').waitFor()
  await field.fill('nowhere at all')
  await page.getByText('No change contains this text').waitFor()
})

test('a card without changes shows the reason', async () => {
  const page = await openChanges(ids.plain)
  await page.getByRole('heading', { name: 'This card has no worktree' }).waitFor()
  await page.goto(`${new URL(page.url()).origin}/b/default/${ids.waits}?tab=changes`)
  await page.getByText('Muster creates the worktree when the first attempt starts.').waitFor()
})

test('on a phone, lines fit the screen, a popover lists the files, and new work needs no reload', async () => {
  const page = await openChanges(ids.work, '', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.getByText(/^157 files/).waitFor()
  await page.getByRole('button', { name: 'Files' }).click()
  await page.getByRole('button', { name: 'gen', exact: true }).click()
  await page
    .getByRole('button', { name: /reserve\.ts/ })
    .first()
    .click()
  await lines(page).getByText('await', { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await home.runInline('land', ids.work)
  await page.getByText(/^Landed on main as /).waitFor()
})

test('the entries of a tournament are compared side by side, and a person picks one', async () => {
  const inbox = await open(`/needs-you?item=${ids.contest}`)
  await untilLive(inbox)
  const item = inbox.getByRole('article', { name: 'Name the release' })
  await item.getByRole('button', { name: 'Pick winner…' }).click()
  await inbox.getByRole('menuitem', { name: 'Pick the entry of quick' }).waitFor()
  expect(await inbox.getByRole('menuitem', { name: 'Pick the entry of unlucky' }).count()).toBe(0)
  await inbox.keyboard.press('Escape')
  await item.getByRole('link', { name: 'Compare entries' }).click()

  const entries = inbox.getByRole('region', { name: 'Entries' })
  await entries.getByText('You pick the winner').waitFor()
  const entry = (name: string) => entries.getByRole('listitem', { name })
  await entry('quick').getByText('1 passed').waitFor()
  await entry('quick').getByText('named by quick').waitFor()
  await entry('unlucky').getByText('Out').waitFor()
  expect(await entry('unlucky').getByRole('button').count()).toBe(0)
  expect(await violationsOf(inbox)).toEqual([])
  const phone = await open(`/b/default/${ids.contest}`, { viewport: { width: 390, height: 844 }, locale: 'ko-KR' })
  await phone.getByRole('region', { name: '참가작' }).getByRole('button', { name: 'careful의 참가작 고르기' }).waitFor()
  expect(await layoutFaults(phone, 44)).toEqual([])

  await entry('careful').getByRole('button', { name: 'Pick the entry of careful' }).click()
  await entry('careful').getByText('Won').waitFor()
  await entry('quick').getByText('Archived').waitFor()
  await entries.getByText(/^careful won, picked by /).waitFor()
  expect(await home.show(ids.contest as TaskId)).toMatchObject({
    status: 'done',
    branch: expect.stringContaining('muster/'),
  })
  await inbox.getByRole('tab', { name: /^Changes/ }).click()
  await lines(inbox).getByText('named by careful').waitFor()
})
