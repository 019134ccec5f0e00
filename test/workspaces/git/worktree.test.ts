// Tests worktrees of real repositories.
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
import type { WorktreeRequest } from '../../../src/workspaces/git/worktree.ts'
import { emptyRepository, gitIn, makeRepository, testFolder } from '../../helpers/repository.ts'

const { signal } = new AbortController()
const ENV = { PATH: process.env['PATH'], HOME: '/nowhere' }
const home = realpathSync(mkdtempSync(join(tmpdir(), 'muster-home-')))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const git = gitWith({ home, env: ENV, signal })

const request = (repo: string | null, more: Partial<WorktreeRequest> = {}): WorktreeRequest => ({
  repo,
  path: join(testFolder(), 't_1'),
  branch: 'muster/t_1',
  ignored: { link: [], copy: [] },
  ...more,
})

const make = (wanted: WorktreeRequest, tool = git) => makeWorktree(tool, wanted, signal)
const refusal = (wanted: WorktreeRequest, tool = git): Promise<string> =>
  make(wanted, tool).then(
    () => 'made',
    (error: Error) => `${error.name}: ${error.message}`,
  )
const headOf = (path: string): string => gitIn(path, 'rev-parse', 'HEAD')
const branchOf = (path: string): string => gitIn(path, 'symbolic-ref', '--short', 'HEAD')

describe('making a worktree', () => {
  test('a worktree begins from the current commit on its own branch', async () => {
    const repo = makeRepository()
    const wanted = request(repo.path)
    const made = await make(wanted)
    expect(made).toEqual({ branch: 'muster/t_1', base: headOf(repo.path), baseBranch: 'main', notes: [] })
    expect(branchOf(wanted.path)).toBe('muster/t_1')
    expect(readFileSync(join(wanted.path, 'readme'), 'utf8')).toBe('hello\n')
    expect(gitIn(wanted.path, 'status', '--porcelain')).toBe('')
  })

  test('a worktree of an existing branch has the merge base as its base', async () => {
    const repo = makeRepository()
    const base = headOf(repo.path)
    repo.git('checkout', '--quiet', '-b', 'topic')
    repo.write('more', 'more\n')
    const tip = repo.commit('more')
    repo.git('checkout', '--quiet', 'main')
    const wanted = request(repo.path, { branch: 'topic' })
    expect(await make(wanted)).toMatchObject({ branch: 'topic', base, baseBranch: 'main' })
    expect(headOf(wanted.path)).toBe(tip)
  })

  test('a worktree that is ready is used again with its changes', async () => {
    const repo = makeRepository()
    const wanted = request(repo.path)
    const made = await make(wanted)
    expect(await findWorktree(git, wanted)).toBeNull()
    await markReady(git, wanted, made)
    writeFileSync(join(wanted.path, 'half'), 'done')
    gitIn(wanted.path, 'checkout', '--quiet', '--detach')
    expect(await findWorktree(git, wanted)).toEqual(made)
    expect(gitIn(wanted.path, 'status', '--porcelain')).toBe('?? half')
  })

  test('an unfinished worktree is replaced by a new one', async () => {
    const repo = makeRepository()
    const wanted = request(repo.path)
    await make(wanted)
    writeFileSync(join(wanted.path, 'leftover'), '')
    gitIn(repo.path, 'worktree', 'lock', wanted.path)
    await make(wanted)
    expect(existsSync(join(wanted.path, 'leftover'))).toBe(false)
    expect(branchOf(wanted.path)).toBe('muster/t_1')
  })

  test('a worktree lacks uncommitted changes of the repository, and a note counts them', async () => {
    const repo = makeRepository()
    repo.write('readme', 'changed\n')
    const wanted = request(repo.path)
    expect((await make(wanted)).notes).toEqual([`not included: 1 uncommitted change of ${repo.path}`])
    expect(readFileSync(join(wanted.path, 'readme'), 'utf8')).toBe('hello\n')
  })

  test('a worktree can be made from a bare repository', async () => {
    const repo = makeRepository()
    const bare = join(testFolder(), 'bare.git')
    gitIn(repo.path, 'clone', '--quiet', '--bare', repo.path, bare)
    const wanted = request(bare, { ignored: { link: ['deps'], copy: [] } })
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

  test('submodules that the repository has checked out are filled', async () => {
    const user = testFolder()
    writeFileSync(join(user, '.gitconfig'), '[protocol "file"]\n  allow = always\n')
    const wanted = request(withSubmodule().path)
    await make(wanted, gitWith({ home, env: { ...ENV, HOME: user }, signal }))
    expect(readFileSync(join(wanted.path, 'lib/inner/readme'), 'utf8')).toBe('hello\n')
  })

  test('an error names submodules that cannot be fetched and quotes git', async () => {
    const message = await refusal(request(withSubmodule().path))
    expect(message).toMatch(
      /^WorkspaceFault: Its submodules \(lib\/inner\) cannot be fetched: [^]*transport 'file' not allowed/,
    )
  })

  test('submodules that the repository does not use stay empty', async () => {
    const repo = withSubmodule()
    const clone = join(testFolder(), 'clone')
    gitIn(repo.path, 'clone', '--quiet', repo.path, clone)
    const wanted = request(clone)
    await make(wanted)
    expect(readdirSync(join(wanted.path, 'lib/inner'))).toEqual([])
  })
})

describe('refusing a worktree', () => {
  test('a path that is not the top of a repository is refused', async () => {
    const repo = makeRepository()
    repo.write('docs/page', '')
    const plain = testFolder()
    expect(await refusal(request(null))).toContain('names no repository')
    expect(await refusal(request('/nowhere/repo'))).toBe(
      'WorkspaceFault: Repository /nowhere/repo does not exist. Give the card another workspace.',
    )
    expect(await refusal(request(join(repo.path, 'readme')))).toContain('is not a directory')
    expect(await refusal(request(plain))).toContain(`${plain} is not a git repository`)
    expect(await refusal(request(join(repo.path, 'docs')))).toContain(`write worktree:${repo.path}`)
    expect(await refusal(request(join(repo.path, '.git')))).toContain('is the git directory of a repository')
  })

  test('a repository without commits is refused', async () => {
    expect(await refusal(request(emptyRepository().path))).toContain('has no commits yet')
  })

  test('a branch that is checked out in another folder is refused', async () => {
    const repo = makeRepository()
    expect(await refusal(request(repo.path, { branch: 'main' }))).toBe(
      `WorkspaceFault: Branch main is checked out in ${repo.path}. Switch that folder to another branch, or give the card another branch.`,
    )
  })

  test('an invalid branch name is refused', async () => {
    const repo = makeRepository()
    expect(await refusal(request(repo.path, { branch: 'a..b' }))).toContain('a..b is not a valid branch name')
    repo.git('branch', 'muster')
    expect(await refusal(request(repo.path))).toContain("'refs/heads/muster' exists")
  })

  test('a path that is already in use is refused and stays unchanged', async () => {
    const wanted = request(makeRepository().path)
    mkdirSync(wanted.path)
    writeFileSync(join(wanted.path, 'mine'), 'mine')
    expect(await refusal(wanted)).toContain('already exists')
    expect(readFileSync(join(wanted.path, 'mine'), 'utf8')).toBe('mine')
  })

  test('a worktree is refused if git is not installed', async () => {
    const bare = gitWith({ home, env: { PATH: testFolder() }, signal })
    expect(await refusal(request(makeRepository().path), bare)).toContain('git is not installed here')
  })
})

describe('ignored files', () => {
  test('ignored files are linked or copied into the worktree without counting as changes', async () => {
    const repo = makeRepository()
    repo.write('deps/one/index', 'one')
    repo.write('.env', 'KEY=1')
    repo.write('app/.env', 'KEY=2')
    const ignored = { link: ['deps', 'app/.env'], copy: ['.env'] }
    const wanted = request(repo.path, { ignored })
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

  test('a note names configured files that are missing, not ignored or already there', async () => {
    const repo = makeRepository()
    repo.write('loose', '')
    const ignored = { link: ['deps', 'readme'], copy: ['loose'] }
    expect((await make(request(repo.path, { ignored }))).notes).toEqual([
      'deps not linked: the file does not exist in the repository',
      'readme not linked: it already exists',
      'loose not copied: git does not ignore it',
    ])
  })
})

describe('the board’s git', () => {
  test('the board’s git runs no hook and inherits no git variables', async () => {
    const repo = makeRepository()
    const hook = join(repo.path, '.git/hooks/post-checkout')
    writeFileSync(hook, `#!/bin/sh\ntouch ${repo.path}/hooked\n`)
    chmodSync(hook, 0o755)
    const other = makeRepository()
    const env = { ...ENV, GIT_DIR: join(other.path, '.git'), GIT_WORK_TREE: other.path, GIT_INDEX_FILE: '/nowhere' }
    await make(request(repo.path), gitWith({ home, env, signal }))
    expect(existsSync(join(repo.path, 'hooked'))).toBe(false)
    expect(other.git('worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('the board’s git waits only a limited time for the lock of another git process', async () => {
    const repo = makeRepository()
    const lock = join(repo.path, '.git/refs/heads/muster/t_1.lock')
    mkdirSync(join(lock, '..'), { recursive: true })
    writeFileSync(lock, '')
    expect(await refusal(request(repo.path), gitWith({ home, env: ENV, signal, patienceMs: 100 }))).toContain(
      't_1.lock',
    )
  })

  test('eight worktrees of one repository are made at once without a lock error', async () => {
    const repo = makeRepository()
    const wanted = Array.from({ length: 8 }, (_, at) => request(repo.path, { branch: `muster/t_${at}` }))
    expect(await Promise.all(wanted.map((one) => refusal(one)))).toEqual(wanted.map(() => 'made'))
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(9)
  })

  test('the repository lock of a dead process is replaced', async () => {
    const repo = makeRepository()
    writeFileSync(join(repo.path, '.git/muster-worktree.lock'), '999999999\n')
    expect(await refusal(request(repo.path))).toBe('made')
    expect(existsSync(join(repo.path, '.git/muster-worktree.lock'))).toBe(false)
  })
})
