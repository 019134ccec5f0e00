// Tests worktree cards with --base.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn, makeRepository, testFolder } from '../helpers/repository.ts'
import { openHome, shellCard } from '../helpers/run-cards.ts'

function clonedRepository() {
  const upstream = makeRepository()
  const clone = join(testFolder(), 'clone')
  gitIn(upstream.path, 'clone', '--quiet', upstream.path, clone)
  upstream.write('new', 'new\n')
  return { clone, newest: upstream.commit('newer than the clone') }
}

test('a card starts from the newest commit of a remote branch', async () => {
  const home = await openHome('sqlite')
  const { clone, newest } = clonedRepository()
  const card = await shellCard(home, 'cat new', '--workspace', `worktree:${clone}`, '--base', 'origin/main')
  expect(card.base).toBe('origin/main')
  await home.dispatch('--wait')
  expect(await home.show(card.id)).toMatchObject({ status: 'done', result: 'new', workspace: { base: newest } })
  expect(existsSync(join(clone, 'new'))).toBe(false)
})

test('a missing base blocks the card until `edit --base` sets another base', async () => {
  const home = await openHome('sqlite')
  const { clone } = clonedRepository()
  const flags = ['--workspace', `worktree:${clone}`, '--base', 'origin/nothing', '--max-retries', '1']
  const card = await shellCard(home, 'cat new', ...flags)
  await home.dispatch('--wait')
  const { stdout } = await home.runInline('why', card.id)
  expect(stdout).toMatch(/Stopped after 1 failed attempt\. Last error: .*Base origin\/nothing does not exist in /)
  expect(stdout).toContain(`muster edit ${card.id} --base '…'`)
  expect(await home.runInline('edit', card.id, '--base', 'origin/main')).toMatchObject({ code: 0 })
  await home.runInline('unblock', card.id)
  await home.dispatch('--wait')
  expect(await home.show(card.id)).toMatchObject({ status: 'done', base: 'origin/main' })
  // The worktree exists now, so its base can no longer change.
  await home.runInline('reopen', card.id)
  expect(await home.runInline('edit', card.id, '--base', 'main')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already exists'),
  })
})

test('only cards with a worktree accept a base', async () => {
  const home = await openHome('sqlite')
  const refused = await home.runInline('create', 'a', '--base', 'main')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('belongs to worktree workspaces only')])
  for (const base of ['a..b', '^main', 'a:b', '*']) {
    const range = await home.runInline('create', 'a', '--workspace', 'worktree:/srv', '--base', base)
    expect([range.code, range.stderr]).toEqual([2, expect.stringContaining('must name one branch, tag or commit')])
  }
})
