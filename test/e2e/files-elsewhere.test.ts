// Tests two machines that share a server. Only the machine that has the files of a card continues the card.
import { cpSync, existsSync, renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TestHome } from '../helpers/cli.ts'
import { gitIn, makeRepository } from '../helpers/repository.ts'
import { makeTwoMachines } from '../helpers/world.ts'
import { outcomesAndFailures } from './live-runs.ts'

const whyOn = async (home: TestHome, id: TaskId): Promise<string> => (await home.runInline('why', id)).stdout

const HALF = 'if [ -e half ]; then cat half; else echo half done >half; exit 1; fi'

test("a retry starts only on the machine with the first attempt's files", async () => {
  const [one, two] = await makeTwoMachines()
  const card = await one.create('halves', '--assignee', 'shell', '--body', HALF)
  await one.dispatch('--wait')
  const { started, deferred } = await two.dispatch('--wait')
  expect([started, deferred]).toMatchObject([
    [],
    [{ id: card.id, reason: expect.stringContaining('The files are on machine') as string }],
  ])
  expect(await whyOn(two, card.id)).toContain(`muster edit ${card.id} --fresh-workspace`)
  expect(await whyOn(one, card.id)).not.toContain('The files are on machine')
  await one.dispatch('--wait')
  expect(await one.show(card.id)).toMatchObject({ status: 'done', result: 'half done' })
  expect(existsSync(two.workspace(card.id, '.'))).toBe(false)
})

test("a card's review and checks start only on the machine with its files", async () => {
  const [one, two] = await makeTwoMachines()
  const card = await one.create('reviewed', '--assignee', 'shell', '--body', 'echo text >page', '--reviewer', 'shell')
  await one.dispatch('--wait')
  expect((await one.runInline('reopen', card.id)).code).toBe(0)
  expect((await one.runInline('request-review', card.id)).code).toBe(0)
  expect((await two.dispatch('--wait')).started).toEqual([])
  expect(await whyOn(two, card.id)).toContain('The files are on machine')
  expect((await one.runInline('edit', card.id, '--check', 'file:page')).code).toBe(0)
  const approved = await two.runInline('approve', card.id)
  expect([approved.code, approved.stderr]).toEqual([1, expect.stringContaining('are on machine') as string])
  expect((await one.dispatch('--wait')).started).toMatchObject([{ id: card.id, phase: 'review' }])
  expect(await one.show(card.id)).toMatchObject({ status: 'done' })
})

test('a person can restart a card on another machine without its files', async () => {
  const [one, two] = await makeTwoMachines()
  const card = await one.create('halves', '--assignee', 'shell', '--body', HALF)
  await one.dispatch('--wait')
  const here = await one.runInline('edit', card.id, '--fresh-workspace')
  expect([here.code, here.stderr]).toEqual([1, expect.stringContaining('has no files on another machine') as string])
  expect((await two.runInline('edit', card.id, '--fresh-workspace')).code).toBe(0)
  await two.dispatch('--wait')
  expect(existsSync(two.workspace(card.id, 'half'))).toBe(true)
  expect(await outcomesAndFailures(two, card.id)).toMatchObject({ outcomes: ['crashed', 'crashed'] })
  const { events } = await two.show(card.id)
  expect(events.find(({ kind }) => kind === 'workspace_abandoned')?.data).toMatchObject({
    path: one.workspace(card.id, '.').replace(/\/\.?$/, ''),
  })
  // The files are on the second machine now, so the first machine does not start the card.
  expect((await one.dispatch('--wait')).started).toEqual([])
})

test('`gc --discard` reports that files on another machine stay', async () => {
  const [one, two] = await makeTwoMachines()
  const card = await one.create('writes', '--assignee', 'shell', '--body', 'echo text >page')
  await one.dispatch('--wait')
  const given = await two.runInline('gc', '--discard', card.id, '--yes')
  expect([given.code, given.stdout]).toEqual([0, expect.not.stringContaining('Removed') as string])
  expect(given.stdout + given.stderr).toContain(`the files of ${card.id} stay on machine`)
  expect(existsSync(one.workspace(card.id, 'page'))).toBe(true)
})

test('a briefing names the path of a file only on the machine that has the file', async () => {
  const [one, two] = await makeTwoMachines()
  const parent = await one.create('writes', '--assignee', 'shell', '--body', 'echo text >page')
  await one.dispatch('--wait')
  expect((await one.runInline('reopen', parent.id)).code).toBe(0)
  const page = one.workspace(parent.id, 'page')
  expect((await one.runInline('complete', parent.id, '--artifact', page)).code).toBe(0)
  const child = await one.create('reads', '--parent', parent.id)
  expect((await one.runInline('attach', child.id, page)).code).toBe(0)
  const context = async (home: TestHome): Promise<string> => (await home.runInline('context', child.id)).stdout
  expect(await context(one)).toMatch(/- `page`.* → .*attachments/)
  expect(await context(one)).toContain('Artifacts: ')
  expect(await context(two)).toMatch(/- `page`.* \(not on this machine\)/)
  expect(await context(two)).not.toContain('Artifacts: ')
})

test("a child's briefing names the machine that has its parent's files", async () => {
  const [one, two] = await makeTwoMachines()
  const parent = await one.create('writes', '--assignee', 'shell', '--body', 'echo text >page')
  await one.dispatch('--wait')
  const child = await one.create('reads', '--parent', parent.id, '--assignee', 'shell', '--body', 'echo read')
  const context = async (home: TestHome): Promise<string> => (await home.runInline('context', child.id)).stdout
  expect(await context(one)).toMatch(new RegExp(`Workspace: .*/${parent.id}`))
  expect(await context(two)).toMatch(/Workspace: on machine \S.*, not readable here/)
  expect((await two.dispatch('--wait')).started).toMatchObject([{ id: child.id }])
  expect(await two.show(child.id)).toMatchObject({ status: 'done' })
})

const LANDING = ['land', 'diff', 'checkout'] as const

test('`land`, `diff` and `checkout` are refused on a machine without the files', async () => {
  const [one, two] = await makeTwoMachines()
  // The second machine has a repository at the same path, with a branch of the same name.
  const repo = makeRepository()
  const place = ['--workspace', `worktree:${repo.path}`, '--branch', 'feat/x', '--assignee', 'shell']
  const first = await one.create('first', ...place, '--body', 'echo text >page')
  const second = await one.create('second', ...place, '--parent', first.id, '--body', 'echo more >>page')
  await one.dispatch('--wait')
  await one.dispatch('--wait')
  expect(await one.show(second.id)).toMatchObject({ status: 'done', workspace: { owner: first.id } })
  const main = repo.git('rev-parse', 'main')
  for (const { id } of [first, second])
    for (const command of LANDING) {
      const answer = await two.runInline(command, id, '--json')
      expect([answer.code, JSON.parse(answer.stderr)]).toMatchObject([1, { error: { code: `${command}_refused` } }])
      expect(answer.stderr).toMatch(
        new RegExp(`The files of ${id} are on machine \\S+ \\(m_\\w+\\)\\. Run muster ${command} ${id} there`),
      )
    }
  expect([repo.git('rev-parse', 'main'), repo.git('branch', '--show-current')]).toEqual([main, 'main'])
  expect(await two.show(second.id)).toMatchObject({ landed: null })
  expect((await one.runInline('land', second.id)).code).toBe(0)
})

test("another machine refuses a branch that lacks the card's last commit", async () => {
  const [one, two] = await makeTwoMachines()
  const repo = makeRepository()
  const place = ['--workspace', `worktree:${repo.path}`, '--assignee', 'shell']
  const card = await one.create('writes', ...place, '--body', 'echo text >page')
  await one.dispatch('--wait')
  expect((await one.runInline('land', card.id)).code).toBe(0)
  one.env['MUSTER_WORKSPACE_STAYS_MS'] = '1'
  expect((await one.runInline('gc', '--yes')).code).toBe(0)
  expect(await one.show(card.id)).toMatchObject({ workspace: { state: 'gone' } })
  expect((await two.runInline('diff', card.id)).stdout).toContain('+text')

  // The clone of the second machine has an older commit on the branch.
  const older = `${repo.path}-older`
  cpSync(repo.path, older, { recursive: true })
  gitIn(older, 'update-ref', `refs/heads/muster/${card.id}`, 'main~1')
  renameSync(repo.path, `${repo.path}-one`)
  renameSync(older, repo.path)
  for (const command of LANDING)
    expect(await two.runInline(command, card.id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /may not have the work of .*, which was done on machine \S+ \(m_\w+\)\. Run muster/,
      ) as string,
    })
})
