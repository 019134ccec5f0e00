// Tests worktrees that start from a given branch, tag or commit.
import { mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { gitWith } from '../../../src/workspaces/git/git.ts'
import { makeWorktree } from '../../../src/workspaces/git/worktree.ts'
import { gitIn, makeRepository, repositoryAt, testFolder } from '../../helpers/repository.ts'
import type { TestRepository } from '../../helpers/repository.ts'

const { signal } = new AbortController()
const home = realpathSync(mkdtempSync(join(tmpdir(), 'muster-home-')))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const git = gitWith({ home, env: { PATH: process.env['PATH'], HOME: '/nowhere' }, signal })

async function make(repo: TestRepository, base: string) {
  const path = join(testFolder(), 't_1')
  const ignored = { link: [], copy: [] }
  const made = await makeWorktree(git, { repo: repo.path, path, branch: 'muster/t_1', base, ignored }, signal)
  return { ...made, head: gitIn(path, 'rev-parse', 'HEAD') }
}

/** Makes a clone, and the repository from which it was cloned. */
function cloned(): { upstream: TestRepository; clone: TestRepository } {
  const upstream = makeRepository()
  const path = join(testFolder(), 'clone')
  gitIn(upstream.path, 'clone', '--quiet', upstream.path, path)
  return { upstream, clone: repositoryAt(path) }
}

test('a remote branch is fetched before the worktree is made', async () => {
  const { upstream, clone } = cloned()
  upstream.write('new', 'new\n')
  const newest = upstream.commit('newer than the clone')
  const made = await make(clone, 'origin/main')
  expect(made).toMatchObject({ base: newest, head: newest, notes: [] })
  // The local branch lacks the commit, so the person must name the branch for the landing.
  expect(made.baseBranch).toBeNull()
  expect(clone.git('rev-parse', 'main')).not.toBe(newest)
})

test('a remote branch is found even if the repository has never fetched the branch', async () => {
  const { upstream, clone } = cloned()
  upstream.git('checkout', '--quiet', '-b', 'feature/x')
  upstream.write('new', 'new\n')
  const newest = upstream.commit('on a new branch')
  expect(await make(clone, 'origin/feature/x')).toMatchObject({ base: newest, head: newest })
})

test('a worktree from origin/main lands on an up-to-date local main', async () => {
  const { clone } = cloned()
  expect(await make(clone, 'origin/main')).toMatchObject({ baseBranch: 'main', notes: [] })
})

test('if the fetch fails, a worktree starts from the last known commit of the branch', async () => {
  const { upstream, clone } = cloned()
  renameSync(upstream.path, `${upstream.path}-gone`)
  const made = await make(clone, 'origin/main')
  expect(made.head).toBe(clone.git('rev-parse', 'main'))
  expect(made.notes).toEqual([expect.stringMatching(/^not refreshed: origin\/main cannot be fetched \(.*not.*git/)])
})

test('a worktree from a local branch lands on that branch', async () => {
  const repo = makeRepository()
  repo.git('checkout', '--quiet', '-b', 'develop')
  repo.write('more', 'more\n')
  const second = repo.commit('more')
  repo.git('checkout', '--quiet', 'main')
  expect(await make(repo, 'develop')).toMatchObject({ head: second, baseBranch: 'develop', notes: [] })
})

test.each(['v1', 'HEAD'])('a worktree from %s has no default branch to land on', async (base) => {
  const repo = makeRepository()
  repo.git('tag', 'v1')
  expect(await make(repo, base)).toMatchObject({ head: repo.git('rev-parse', 'v1'), baseBranch: null })
})

test('the error for a base that does not exist names the base', async () => {
  const { clone } = cloned()
  await expect(make(clone, 'origin/nothing')).rejects.toThrow(
    /^Base origin\/nothing does not exist in \S+, and cannot be fetched \(.*\)\. Give the card another base\.$/,
  )
  await expect(make(clone, 'nothing')).rejects.toThrow(/^Base nothing does not exist in \S+\. Give the card another/)
})
