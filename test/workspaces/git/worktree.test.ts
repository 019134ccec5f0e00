// Worktrees of real repositories, as the board makes them.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { gitWith } from '../../../src/workspaces/git/git.ts'
import { findWorktree, makeWorktree, markReady } from '../../../src/workspaces/git/worktree.ts'
import type { WorktreeWish } from '../../../src/workspaces/git/worktree.ts'
import { emptyRepository, gitIn, makeRepository, testFolder } from '../../helpers/repository.ts'

const { signal } = new AbortController()
const ENV = { PATH: process.env['PATH'], HOME: '/nowhere' }
const home = realpathSync(mkdtempSync(join(tmpdir(), 'muster-home-')))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const git = gitWith({ home, env: ENV, signal })

const wish = (repo: string | null, more: Partial<WorktreeWish> = {}): WorktreeWish => ({
  repo,
  path: join(testFolder(), 't_1'),
  branch: 'muster/t_1',
  ignored: { link: [], copy: [] },
  ...more,
})

const make = (wanted: WorktreeWish, tool = git) => makeWorktree(tool, wanted, signal)
const refusal = (wanted: WorktreeWish, tool = git): Promise<string> =>
  make(wanted, tool).then(
    () => 'made',
    (error: Error) => `${error.name}: ${error.message}`,
  )
const headOf = (path: string): string => gitIn(path, 'rev-parse', 'HEAD')
const branchOf = (path: string): string => gitIn(path, 'symbolic-ref', '--short', 'HEAD')

describe('a worktree', () => {
  test('begins from the commit that its repository is on, on a branch of its own', async () => {
    const repo = makeRepository()
    const wanted = wish(repo.path)
    const made = await make(wanted)
    expect(made).toEqual({ branch: 'muster/t_1', base: headOf(repo.path), baseBranch: 'main', notes: [] })
    expect(branchOf(wanted.path)).toBe('muster/t_1')
    expect(readFileSync(join(wanted.path, 'readme'), 'utf8')).toBe('hello\n')
    expect(gitIn(wanted.path, 'status', '--porcelain')).toBe('')
  })

  test('continues an existing branch, based on its merge base', async () => {
    const repo = makeRepository()
    const base = headOf(repo.path)
    repo.git('checkout', '--quiet', '-b', 'topic')
    repo.write('more', 'more\n')
    const tip = repo.commit('more')
    repo.git('checkout', '--quiet', 'main')
    const wanted = wish(repo.path, { branch: 'topic' })
    expect(await make(wanted)).toMatchObject({ branch: 'topic', base, baseBranch: 'main' })
    expect(headOf(wanted.path)).toBe(tip)
  })

  test('is found again once it is ready, with whatever was made of it', async () => {
    const repo = makeRepository()
    const wanted = wish(repo.path)
    const made = await make(wanted)
    expect(await findWorktree(git, wanted)).toBeNull()
    await markReady(git, wanted, made)
    writeFileSync(join(wanted.path, 'half'), 'done')
    gitIn(wanted.path, 'checkout', '--quiet', '--detach')
    expect(await findWorktree(git, wanted)).toEqual(made)
    expect(gitIn(wanted.path, 'status', '--porcelain')).toBe('?? half')
  })

  test('that was cut off before it was ready is made anew', async () => {
    const repo = makeRepository()
    const wanted = wish(repo.path)
    await make(wanted)
    writeFileSync(join(wanted.path, 'leftover'), '')
    gitIn(repo.path, 'worktree', 'lock', wanted.path)
    await make(wanted)
    expect(existsSync(join(wanted.path, 'leftover'))).toBe(false)
    expect(branchOf(wanted.path)).toBe('muster/t_1')
  })

  test('leaves out uncommitted changes of the repository, with a note', async () => {
    const repo = makeRepository()
    repo.write('readme', 'changed\n')
    const wanted = wish(repo.path)
    expect((await make(wanted)).notes).toEqual([`1 uncommitted change of ${repo.path} not in it`])
    expect(readFileSync(join(wanted.path, 'readme'), 'utf8')).toBe('hello\n')
  })

  test('of a bare repository works the same', async () => {
    const repo = makeRepository()
    const bare = join(testFolder(), 'bare.git')
    gitIn(repo.path, 'clone', '--quiet', '--bare', repo.path, bare)
    const wanted = wish(bare, { ignored: { link: ['deps'], copy: [] } })
    expect(await make(wanted)).toMatchObject({
      base: headOf(repo.path),
      baseBranch: 'main',
      notes: ['deps not linked: the repository is bare'],
    })
  })
})

describe('submodules', () => {
  const withSubmodule = () => {
    const inner = makeRepository()
    const repo = makeRepository()
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib/inner')
    repo.commit('with a submodule')
    return repo
  }

  test('that the repository has checked out are there too', async () => {
    const user = testFolder()
    writeFileSync(join(user, '.gitconfig'), '[protocol "file"]\n  allow = always\n')
    const wanted = wish(withSubmodule().path)
    await make(wanted, gitWith({ home, env: { ...ENV, HOME: user }, signal }))
    expect(readFileSync(join(wanted.path, 'lib/inner/readme'), 'utf8')).toBe('hello\n')
  })

  test('that cannot be fetched are refused by name, with git’s error', async () => {
    const words = await refusal(wish(withSubmodule().path))
    expect(words).toMatch(
      /^WorkspaceFault: Its submodules \(lib\/inner\) cannot be fetched: [^]*transport 'file' not allowed/,
    )
  })

  test('that the repository itself does not use are left alone', async () => {
    const repo = withSubmodule()
    const clone = join(testFolder(), 'clone')
    gitIn(repo.path, 'clone', '--quiet', repo.path, clone)
    const wanted = wish(clone)
    await make(wanted)
    expect(readdirSync(join(wanted.path, 'lib/inner'))).toEqual([])
  })
})

describe('a worktree is refused, with the reason', () => {
  test('where there is no repository, or only a part or the inside of one', async () => {
    const repo = makeRepository()
    repo.write('docs/page', '')
    const plain = testFolder()
    expect(await refusal(wish(null))).toContain('names no repository')
    expect(await refusal(wish('/nowhere/repo'))).toBe(
      'WorkspaceFault: Repository /nowhere/repo does not exist. Give the card another workspace.',
    )
    expect(await refusal(wish(join(repo.path, 'readme')))).toContain('is no directory')
    expect(await refusal(wish(plain))).toContain(`${plain} is not a git repository`)
    expect(await refusal(wish(join(repo.path, 'docs')))).toContain(`write worktree:${repo.path}`)
    expect(await refusal(wish(join(repo.path, '.git')))).toContain('is the inside of a repository')
  })

  test('where there is no commit to begin from', async () => {
    expect(await refusal(wish(emptyRepository().path))).toContain('has no commits yet')
  })

  test('where its branch is checked out elsewhere', async () => {
    const repo = makeRepository()
    expect(await refusal(wish(repo.path, { branch: 'main' }))).toBe(
      `WorkspaceFault: Branch main is checked out in ${repo.path}. Switch that folder to another branch, or give the card another branch.`,
    )
  })

  test('where its branch cannot be called so', async () => {
    const repo = makeRepository()
    expect(await refusal(wish(repo.path, { branch: 'a..b' }))).toContain('a..b cannot be the name of a branch')
    repo.git('branch', 'muster')
    expect(await refusal(wish(repo.path))).toContain("'refs/heads/muster' exists")
  })

  test('where something else is in its place, which stays as it is', async () => {
    const wanted = wish(makeRepository().path)
    mkdirSync(wanted.path)
    writeFileSync(join(wanted.path, 'mine'), 'mine')
    expect(await refusal(wanted)).toContain('is in the way')
    expect(readFileSync(join(wanted.path, 'mine'), 'utf8')).toBe('mine')
  })

  test('where git is not installed', async () => {
    const bare = gitWith({ home, env: { PATH: testFolder() }, signal })
    expect(await refusal(wish(makeRepository().path), bare)).toContain('git is not installed here')
  })
})

describe('ignored files', () => {
  test('are linked and copied by the board’s settings, and do not count as changes', async () => {
    const repo = makeRepository()
    repo.write('deps/one/index', 'one')
    repo.write('.env', 'KEY=1')
    repo.write('app/.env', 'KEY=2')
    const ignored = { link: ['deps', 'app/.env'], copy: ['.env'] }
    const wanted = wish(repo.path, { ignored })
    expect((await make(wanted)).notes).toEqual([])
    const at = (...path: string[]): string => join(wanted.path, ...path)
    expect(gitIn(wanted.path, 'status', '--porcelain')).toBe('')
    expect(readFileSync(at('deps/one/index'), 'utf8')).toBe('one')
    expect([at('deps/one'), at('app/.env'), at('.env')].map((path) => lstatSync(path).isSymbolicLink())).toEqual([
      true,
      true,
      false,
    ])
    writeFileSync(at('.env'), 'KEY=9')
    expect(readFileSync(join(repo.path, '.env'), 'utf8')).toBe('KEY=1')
  })

  test('that are missing, in the way or not ignored are left out by name', async () => {
    const repo = makeRepository()
    repo.write('loose', '')
    const ignored = { link: ['deps', 'readme'], copy: ['loose'] }
    expect((await make(wish(repo.path, { ignored }))).notes).toEqual([
      'deps not linked: it is not in the repository',
      'readme not linked: it is there already',
      'loose not copied: git does not ignore it',
    ])
  })
})

describe('git, as the board runs it', () => {
  test('runs no hook and inherits no git variables', async () => {
    const repo = makeRepository()
    const hook = join(repo.path, '.git/hooks/post-checkout')
    writeFileSync(hook, `#!/bin/sh\ntouch ${repo.path}/hooked\n`)
    chmodSync(hook, 0o755)
    const other = makeRepository()
    const env = { ...ENV, GIT_DIR: join(other.path, '.git'), GIT_WORK_TREE: other.path, GIT_INDEX_FILE: '/nowhere' }
    await make(wish(repo.path), gitWith({ home, env, signal }))
    expect(existsSync(join(repo.path, 'hooked'))).toBe(false)
    expect(other.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('waits for a lock that another git holds, and only so long', async () => {
    const repo = makeRepository()
    const lock = join(repo.path, '.git/refs/heads/muster/t_1.lock')
    mkdirSync(join(lock, '..'), { recursive: true })
    writeFileSync(lock, '')
    expect(await refusal(wish(repo.path), gitWith({ home, env: ENV, signal, patienceMs: 100 }))).toContain('t_1.lock')
  })

  test('makes eight worktrees of one repository at once without a lock error', async () => {
    const repo = makeRepository()
    const wanted = Array.from({ length: 8 }, (_, at) => wish(repo.path, { branch: `muster/t_${at}` }))
    expect(await Promise.all(wanted.map((one) => refusal(one)))).toEqual(wanted.map(() => 'made'))
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(9)
  })

  test('takes over the turn of a process that is gone', async () => {
    const repo = makeRepository()
    writeFileSync(join(repo.path, '.git/muster-worktree.lock'), '999999999\n')
    expect(await refusal(wish(repo.path))).toBe('made')
    expect(existsSync(join(repo.path, '.git/muster-worktree.lock'))).toBe(false)
  })
})
