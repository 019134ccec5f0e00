import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SeriesDetails, SeriesView } from '../../src/operations/series/views.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const json = <T>(text: string): T => JSON.parse(text) as T

test('a series is added, listed, shown, edited, paused, run now and removed at the terminal', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  expect((await muster('recur')).stderr).toContain('No series. To add one:')
  const added = await muster(
    'recur',
    'add',
    'weekdays 09:00',
    '--title',
    'Triage',
    '--assignee',
    'shell',
    '--body',
    'true',
    '--tz',
    'Europe/Berlin',
  )
  expect(added.stdout).toMatch(/^Added series s_\w{10} {2}Triage\nNext: \w{3} \d{4}-\d\d-\d\d 09:00 Europe\/Berlin\n$/)
  expect(added.stderr).toContain("Muster isn't running. Start it with: muster up")
  const [series] = json<SeriesView[]>((await muster('recur', 'list', '--json')).stdout)
  const id = series?.id ?? ''
  expect(series).toMatchObject({ schedule: 'weekdays 09:00', timeZone: 'Europe/Berlin', created: 0, problems: [] })
  expect(
    (await muster('recur', 'edit', id, '--schedule', 'every 2h', '--skip-if-running', 'yes', '--label', 'daily')).code,
  ).toBe(0)
  const made = await muster('recur', 'run-now', id.slice(0, 6))
  expect(made.stdout).toMatch(/^Created t_\w{10} {2}\(ready\)\n$/)
  const shown = json<SeriesDetails>((await muster('recur', 'show', id, '--json')).stdout)
  expect(shown).toMatchObject({
    created: 1,
    skipIfRunning: true,
    schedule: 'every 2h',
    cards: [{ title: 'Triage', labels: ['daily'] }],
  })
  expect((await muster('list', '--series', id)).stdout).toContain(shown.cards[0]?.id)
  expect((await muster('recur', 'pause', id)).stdout).toBe(`Paused series ${id}  Triage\n`)
  expect((await muster('recur')).stdout).toContain('paused')
  expect((await muster('recur', 'resume', id)).stdout).toContain('Next: ')
  expect((await muster('why', id)).stdout).toContain('every 2h (Europe/Berlin)')
  expect((await muster('recur', 'rm', id)).stdout).toBe(`Removed series ${id}  Triage. Its cards stay.\n`)
  expect((await muster('list', '--series', id)).stdout).toContain(shown.cards[0]?.id)
  expect(await muster('recur', 'show', id)).toMatchObject({ code: 3 })
})

test('a mistake in a series is reported, and nothing is added', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  const bad = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await muster('recur', 'add', ...args)
    expect(code).toBe(2)
    return stderr
  }
  expect(await bad('weekdays 25:00', '--title', 'x')).toContain(
    'schedule 25:00 is not a time of the day: write 09:00 or 17:30',
  )
  expect(await bad('daily 9:00')).toContain('needs --title')
  expect(await bad('daily 9:00', '--title', 'x', '--tz', 'Berlin')).toContain('Berlin is not a time zone')
  expect(await bad('daily 9:00', '--title', 'x', '--at', '9:00')).toContain('--at')
  expect((await muster('recur', 'list', '--json')).stdout).toBe('[]\n')
})

test('problems of a series are listed with their remedies, and doctor reports them', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  await muster('recur', 'add', 'daily 9:00', '--title', 'Report', '--assignee', 'nobody-here')
  expect((await muster('recur')).stdout).toContain('Agent nobody-here does not exist on this machine')
  expect((await muster('doctor')).stdout).toContain('Agent nobody-here does not exist on this machine')
})

test('the cards of a series work towards its goal', async () => {
  const { muster, home } = makeCliHome()
  await muster('init')
  writeFileSync(join(home, 'agents/coder.md'), '---\nharness: claude\n---\n')
  const add = ['recur', 'add', 'daily 9:00', '--title', 'Tidy', '--assignee', 'coder', '--goal-max-turns', '7']
  const { id } = json<SeriesView>((await muster(...add, '--json')).stdout)
  const cardNow = async () => json<TaskView>((await muster('recur', 'run-now', id, '--json')).stdout)
  expect(await cardNow()).toMatchObject({ goal: { maxTurns: 7, judge: 'model' } })
  expect((await muster('recur', 'edit', id, '--judge', 'checks', '--check', 'true')).code).toBe(0)
  expect(await cardNow()).toMatchObject({ goal: { maxTurns: 7, judge: 'checks' } })
  expect((await muster('recur', 'edit', id, '--no-goal')).code).toBe(0)
  const last = await cardNow()
  expect(last.goal).toBeNull()
  const [listed] = json<SeriesView[]>((await muster('recur', '--json')).stdout)
  expect(listed?.lastCard).toEqual({ id: last.id, title: 'Tidy', status: 'ready', blockKind: null })
})

test('a series refuses a goal for an agent without further turns', async () => {
  const { muster } = makeCliHome()
  await muster('init')
  const refused = await muster('recur', 'add', 'daily 9:00', '--title', 'Tidy', '--assignee', 'shell', '--goal')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('cannot work towards a goal in turns')])
  const add = ['recur', 'add', 'daily 9:00', '--title', 'Tidy', '--goal', '--json']
  const { id } = json<SeriesView>((await muster(...add)).stdout)
  expect(await muster('recur', 'edit', id, '--assignee', 'shell')).toMatchObject({ code: 2 })
})
