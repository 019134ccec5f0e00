// Committing the work of a card and putting it on a branch, with real repositories.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitWork } from '../../src/workspaces/commit-work.ts'
import type { Work } from '../../src/workspaces/commit-work.ts'
import { diffWork } from '../../src/workspaces/diff-work.ts'
import { usersGit } from '../../src/workspaces/git.ts'
import { landBranch } from '../../src/workspaces/land-branch.ts'
import type { Strategy } from '../../src/workspaces/land-branch.ts'
import { worktreeHolds } from '../../src/workspaces/worktree-changes.ts'
import { placeOfWorktree } from '../../src/workspaces/repository.ts'
import { makeWorktree, markReady } from '../../src/workspaces/worktree.ts'
import { gitIn, makeRepository, testFolder } from '../helpers/repository.ts'

const { signal } = new AbortController()
const CARD = 't_0123456789'

async function setUp() {
  const repo = makeRepository()
  repo.git('config', 'user.name', 'Ada')
  repo.git('config', 'user.email', 'ada@example.org')
  const home = testFolder()
  const path = join(home, 'tree')
  const branch = `muster/${CARD}`
  const git = usersGit(home)
  const wish = { repo: repo.path, path, branch, ignored: { link: [], copy: [] } }
  const made = await makeWorktree(git, wish, signal)
  await markReady(git, wish, made)
  const place = await placeOfWorktree(git, wish)
  if (place === null) throw new Error('there is no worktree')
  const work: Work = { place, branch, from: made.base, message: `Write it\n\nMuster-Card: ${CARD}\n`, commit: 'board' }
  const write = (file: string, text: string): void => {
    mkdirSync(join(path, file, '..'), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  const land = (strategy: Strategy = 'squash') =>
    landBranch({ home, card: CARD, repo: repo.path, branch, into: 'main', strategy, message: work.message })
  const holds = (landedTip: string | null) => worktreeHolds({ home, folder: path, repo: repo.path, landedTip })
  const diff = (landedTip: string | null = null) =>
    diffWork({
      home,
      card: CARD,
      repo: repo.path,
      branch,
      path,
      base: made.base,
      baseBranch: 'main',
      landedTip,
      patch: true,
    })
  const inTree = (...args: string[]): string => gitIn(path, ...args)
  return { repo, home, path, branch, git, place, work, write, land, holds, diff, inTree, base: made.base }
}

describe('the board commits the work of a run', () => {
  test('with new, changed and removed files, counted, under the name of the user', async () => {
    const { git, work, write, inTree, path } = await setUp()
    write('readme', 'hello\nworld\n')
    write('src/new', 'one\ntwo\n')
    write('deps/ignored', 'x')
    rmSync(join(path, '.gitignore'))
    write('.git-not', 'x\n')
    const made = await commitWork(git, work)
    expect(made).toMatchObject({ note: null, added: expect.any(Number) })
    expect(inTree('log', '-1', '--format=%an <%ae>|%s|%H')).toBe(`Ada <ada@example.org>|Write it|${made.commit}`)
    expect(inTree('status', '--porcelain')).toBe('')
  })

  test('and counts files and lines from where the run began', async () => {
    const { git, work, write } = await setUp()
    write('readme', 'hello\nworld\n')
    write('src/new', 'one\ntwo\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 2, added: 3, removed: 0, note: null })
  })

  test('once: a second call changes nothing and reports the same', async () => {
    const { git, work, write, inTree } = await setUp()
    write('new', 'x\n')
    const first = await commitWork(git, work)
    expect(await commitWork(git, work)).toEqual(first)
    expect(inTree('rev-list', '--count', `${work.from}..HEAD`)).toBe('1')
  })

  test('after a crash that left the index behind and dead locks', async () => {
    const { git, work, write, inTree, place } = await setUp()
    const index = readFileSync(join(place.gitDir, 'index'))
    write('new', 'x\n')
    const first = await commitWork(git, work)
    writeFileSync(join(place.gitDir, 'index'), index)
    for (const name of ['index.lock', 'muster-index', 'muster-index.lock']) writeFileSync(join(place.gitDir, name), '')
    expect(await commitWork(git, work)).toEqual(first)
    expect(inTree('status', '--porcelain')).toBe('')
    expect(inTree('rev-list', '--count', `${work.from}..HEAD`)).toBe('1')
    expect(existsSync(join(place.gitDir, 'index.lock'))).toBe(false)
  })

  test('in the name of Muster when the user has none', async () => {
    const { git, work, write, inTree, repo } = await setUp()
    repo.git('config', '--unset', 'user.name')
    repo.git('config', '--unset', 'user.email')
    write('new', 'x\n')
    await commitWork(git, work)
    expect(inTree('log', '-1', '--format=%an <%ae>')).toMatch(/^(Muster <muster@localhost>|.+ <.+>)$/)
  })

  test('with files that the index hides', async () => {
    const { git, work, write, inTree } = await setUp()
    inTree('update-index', '--assume-unchanged', 'readme')
    inTree('update-index', '--skip-worktree', '.gitignore')
    write('readme', 'changed\n')
    write('.gitignore', 'changed\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 2 })
    expect(inTree('show', 'HEAD:readme')).toBe('changed')
  })

  test('or reports why it cannot: conflicts, another branch', async () => {
    const { git, work, write, inTree } = await setUp()
    inTree('checkout', '--quiet', '--detach')
    write('new', 'x\n')
    expect(await commitWork(git, work)).toMatchObject({ commit: null, note: expect.stringContaining('on no branch') })
    expect(inTree('status', '--porcelain')).toBe('?? new')
  })

  test('without a repository that the agent made inside it', async () => {
    const { git, work, write, path, inTree } = await setUp()
    mkdirSync(join(path, 'nested'))
    gitIn(join(path, 'nested'), 'init', '--quiet')
    write('nested/file', 'x\n')
    write('new', 'x\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 1, note: expect.stringContaining('nested/') })
    expect(inTree('ls-files')).not.toContain('nested')
  })

  test('not at all if the agent commits itself', async () => {
    const { git, work, write, inTree } = await setUp()
    write('mine', 'x\n')
    inTree('add', 'mine')
    inTree('commit', '--quiet', '--message', 'mine')
    write('loose', 'x\n')
    expect(await commitWork(git, { ...work, commit: 'agent' })).toEqual({
      files: 1,
      added: 1,
      removed: 0,
      commit: null,
      note: null,
    })
    expect(inTree('status', '--porcelain')).toBe('?? loose')
  })
})

describe.each(['squash', 'merge', 'rebase'] as const)('landing by %s', (strategy) => {
  test('puts the work on a base that has advanced, and updates its checkout', async () => {
    const { repo, git, work, write, land, holds, diff } = await setUp()
    write('new', 'x\n')
    await commitWork(git, work)
    repo.write('other', 'y\n')
    repo.commit('meanwhile')
    const before = await diff()
    expect(await holds(null)).toContain('have not landed')
    const { commit, tip } = await land(strategy)
    expect(repo.git('rev-parse', 'main')).toBe(commit)
    expect(readFileSync(join(repo.path, 'new'), 'utf8')).toBe('x\n')
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.git('rev-list', '--count', '--merges', 'main')).toBe(strategy === 'merge' ? '1' : '0')
    expect(await holds(tip)).toBeNull()
    expect((await diff(tip)).files).toEqual(before.files)
    expect((await land(strategy)).commit).toBe(commit)
  })

  test('is refused with the files when it conflicts, and changes nothing', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('readme', 'mine\n')
    await commitWork(git, work)
    repo.write('readme', 'theirs\n')
    const head = repo.commit('theirs')
    await expect(land(strategy)).rejects.toMatchObject({ code: 'land_refused', details: { conflicts: ['readme'] } })
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([head, ''])
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2)
  })

  test('that crashed after the branch moved is recognised', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('new', 'x\n')
    await commitWork(git, work)
    const index = readFileSync(join(repo.path, '.git/index'))
    const { commit } = await land(strategy)
    // As a kill between the move of the branch and the update of its checkout leaves it.
    writeFileSync(join(repo.path, '.git/index'), index)
    rmSync(join(repo.path, 'new'))
    expect(await land(strategy)).toMatchObject({ commit })
    expect(repo.git('rev-parse', 'main')).toBe(commit)
    expect(repo.git('status', '--porcelain')).toBe('')
  })
})

describe('landing is refused', () => {
  test('while the checkout of the target has changes, or a file in the way', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('new', 'x\n')
    await commitWork(git, work)
    repo.write('readme', 'dirty\n')
    await expect(land()).rejects.toThrow(/uncommitted changes \(readme\): commit or stash them/)
    repo.git('checkout', '--quiet', 'readme')
    repo.write('new', 'mine\n')
    await expect(land()).rejects.toThrow(/cannot take the work: .*new/)
    expect(readFileSync(join(repo.path, 'new'), 'utf8')).toBe('mine\n')
    expect(repo.git('rev-parse', 'main')).toBe(work.from)
  })
})

test('a diff shows uncommitted work too', async () => {
  const { write, diff } = await setUp()
  write('new', 'x\n')
  expect(await diff()).toMatchObject({
    files: [{ path: 'new', added: 1, removed: 0 }],
    patch: expect.stringContaining('+x'),
  })
})
