// Tests how the work of a card is committed and landed on a branch, with real repositories.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { commitWork } from '../../src/workspaces/landing/commit-work.ts'
import type { Work } from '../../src/workspaces/landing/commit-work.ts'
import { diffWork } from '../../src/workspaces/landing/diff-work.ts'
import type { DiffRequest } from '../../src/workspaces/landing/diff-work.ts'
import { usersGit } from '../../src/workspaces/git/git.ts'
import { landBranch } from '../../src/workspaces/landing/land-branch.ts'
import type { Strategy } from '../../src/workspaces/landing/landing-commit.ts'
import { reasonToKeepWorktree } from '../../src/workspaces/git/worktree-changes.ts'
import { placeOfWorktree, repositoryPlace } from '../../src/workspaces/git/repository.ts'
import { RepositoryBusy, withRepository } from '../../src/workspaces/git/repository-lock.ts'
import { makeWorktree, markReady } from '../../src/workspaces/git/worktree.ts'
import type { Worktree } from '../../src/workspaces/git/worktree.ts'
import { makeStage } from '../helpers/file-tree.ts'
import { makeGitTrap } from '../helpers/git-trap.ts'
import { gitIn, makeRepository, repositoryAt, testFolder } from '../helpers/repository.ts'

const { signal } = new AbortController()
const CARD = 't_0123456789'
const FILTER = fileURLToPath(new URL('../fixtures/filter-process.mjs', import.meta.url))

const branch = `muster/${CARD}`
let made: Worktree

/** A repository of the user, and the worktree of a card. */
const stage = makeStage(async (folder) => {
  const { repo, home, path } = pathsIn(folder)
  const users = makeRepository(repo)
  users.git('config', 'user.name', 'Ada')
  users.git('config', 'user.email', 'ada@example.org')
  mkdirSync(home)
  const git = usersGit(home)
  const request = { repo, path, branch, ignored: { link: [], copy: [] } }
  made = await makeWorktree(git, request, signal)
  await markReady(git, request, made)
})
// The worktree is made before a test changes the configuration of the user.
beforeAll(() => stage.restore())

function pathsIn(folder: string) {
  const home = join(folder, 'home')
  return { repo: join(folder, 'repo'), home, path: join(home, 'tree') }
}

async function setUp() {
  await stage.restore()
  const { home, path, ...paths } = pathsIn(stage.path)
  const repo = repositoryAt(paths.repo)
  const git = usersGit(home)
  const place = await placeOfWorktree(git, { repo: repo.path, path })
  if (place === null) throw new Error('there is no worktree')
  const work: Work = { place, branch, from: made.base, message: `Write it\n\nMuster-Card: ${CARD}\n`, commit: 'board' }
  const write = (file: string, text: string): void => {
    mkdirSync(join(path, file, '..'), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  const land = (strategy: Strategy = 'squash') =>
    landBranch({
      home,
      card: CARD,
      repo: repo.path,
      branch,
      base: made.base,
      into: 'main',
      strategy,
      message: work.message,
    })
  const landInto = (into: string) =>
    landBranch({ home, card: CARD, repo: repo.path, branch, base: made.base, into, strategy: 'squash', message: 'x\n' })
  const holds = (landedTip: string | null) => reasonToKeepWorktree({ home, folder: path, repo: repo.path, landedTip })
  const diff = (landedTip: string | null = null, file?: string, more: Partial<DiffRequest> = {}) =>
    diffWork({
      ...more,
      ...(file === undefined ? {} : { file }),
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
  return { repo, home, path, branch, git, place, work, write, land, landInto, holds, diff, inTree, base: made.base }
}

/** Makes work that is ready to land, and a git that runs a command of the test at a given step. */
async function setUpTrapped() {
  const { repo, git, work, write, land } = await setUp()
  write('new', 'x\n')
  await commitWork(git, work)
  const trap = makeGitTrap()
  vi.stubEnv('PATH', trap.env.PATH)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { repo, trap, land }
}

/** Sets the user's git configuration for one test. */
function stubUser(config: string): void {
  const folder = testFolder()
  writeFileSync(join(folder, '.gitconfig'), config)
  vi.stubEnv('HOME', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** Makes a worktree in which the agent began a merge with a conflict in `readme`. */
async function setUpMerge() {
  const all = await setUp()
  const { repo, write, inTree } = all
  repo.git('checkout', '--quiet', '-b', 'side')
  repo.write('readme', 'theirs\n')
  repo.commit('theirs')
  repo.git('checkout', '--quiet', 'main')
  write('readme', 'mine\n')
  inTree('commit', '--quiet', '--all', '--message', 'mine')
  expect(() => inTree('merge', '--quiet', 'side')).toThrow('merge')
  return all
}

describe('committing the work of a run', () => {
  test('new, changed and removed files are committed in the user’s name', async () => {
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

  test('changed files and lines since the start of the run are counted', async () => {
    const { git, work, write } = await setUp()
    write('readme', 'hello\nworld\n')
    write('src/new', 'one\ntwo\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 2, added: 3, removed: 0, note: null })
  })

  test('committing the same work again changes nothing', async () => {
    const { git, work, write, inTree } = await setUp()
    write('new', 'x\n')
    const first = await commitWork(git, work)
    expect(await commitWork(git, work)).toEqual(first)
    expect(inTree('rev-list', '--count', `${work.from}..HEAD`)).toBe('1')
  })

  test('a commit that is repeated after a crash replaces the old index and stale locks', async () => {
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

  test.each([
    [
      'the user in the global configuration',
      '[user]\n\tname = Bea\n\temail = bea@example.org\n',
      'Bea <bea@example.org>',
    ],
    ['Muster if the user has no identity', '', 'Muster <muster@localhost>'],
    ['Muster if the user has only a name', '[user]\n\tname = Bea\n', 'Muster <muster@localhost>'],
  ])('the author of the commit is %s', async (_, config, expected) => {
    stubUser(config)
    const { git, work, write, inTree, repo } = await setUp()
    repo.git('config', '--unset', 'user.name')
    repo.git('config', '--unset', 'user.email')
    write('new', 'x\n')
    await commitWork(git, work)
    expect(inTree('log', '-1', '--format=%an <%ae>|%cn <%ce>')).toBe(`${expected}|${expected}`)
  })

  test('changes in files that git hides from the status are committed', async () => {
    const { git, work, write, inTree } = await setUp()
    inTree('update-index', '--assume-unchanged', 'readme')
    inTree('update-index', '--skip-worktree', '.gitignore')
    write('readme', 'changed\n')
    write('.gitignore', 'changed\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 2 })
    expect(inTree('show', 'HEAD:readme')).toBe('changed')
  })

  test('a merge with conflicts is not committed and stays unchanged', async () => {
    const { git, work, inTree, path, place } = await setUpMerge()
    expect(await commitWork(git, work)).toMatchObject({
      commit: null,
      note: 'The work was not committed: readme has unresolved conflicts',
    })
    expect(inTree('status', '--porcelain')).toBe('UU readme')
    expect(existsSync(join(place.gitDir, 'MERGE_HEAD'))).toBe(true)
    expect(readFileSync(join(path, 'readme'), 'utf8')).toContain('<<<<<<<')
  })

  test('a commit with conflict markers gets a note that names the file', async () => {
    const { git, work, inTree } = await setUpMerge()
    inTree('add', 'readme')
    expect(await commitWork(git, work)).toMatchObject({
      commit: expect.any(String),
      note: 'readme has conflict markers',
    })
  })

  test('a merge that the agent resolved becomes a merge commit', async () => {
    const { git, work, inTree, write, place } = await setUpMerge()
    write('readme', 'both \n')
    inTree('add', 'readme')
    expect(await commitWork(git, work)).toMatchObject({ note: null })
    expect(inTree('log', '-1', '--format=%P').split(' ')).toHaveLength(2)
    expect(existsSync(join(place.gitDir, 'MERGE_HEAD'))).toBe(false)
  })

  test('a changed file with the same size and time is committed', async () => {
    const { git, work, write, inTree, repo, path, place } = await setUp()
    repo.git('config', 'core.trustctime', 'false')
    const earlier = 1_000_000_000
    utimesSync(join(path, 'readme'), earlier, earlier)
    inTree('update-index', '--refresh')
    write('readme', 'HELLO\n')
    // The times are set as if the file and the index had been written within the same second.
    for (const file of [join(path, 'readme'), join(place.gitDir, 'index')]) utimesSync(file, earlier, earlier)
    expect(await commitWork(git, work)).toMatchObject({ files: 1 })
    expect(inTree('show', 'HEAD:readme')).toBe('HELLO')
  })

  test('the error for a file that git cannot read names the file, and nothing is committed', async () => {
    stubUser('[filter "broken"]\n\tclean = false\n\trequired = true\n')
    const { git, work, write, inTree } = await setUp()
    write('.gitattributes', '*.bin filter=broken\n')
    write('data.bin', 'x\n')
    expect(await commitWork(git, work)).toMatchObject({ commit: null, note: expect.stringContaining('data.bin') })
    expect(inTree('rev-parse', 'HEAD')).toBe(work.from)
  })

  test('nothing is committed if the worktree has left its branch', async () => {
    const { git, work, write, inTree } = await setUp()
    inTree('checkout', '--quiet', '--detach')
    write('new', 'x\n')
    expect(await commitWork(git, work)).toMatchObject({ commit: null, note: expect.stringContaining('on no branch') })
    expect(inTree('status', '--porcelain')).toBe('?? new')
  })

  test('a nested repository is not committed, and a note names the repository', async () => {
    const { git, work, write, path, inTree } = await setUp()
    mkdirSync(join(path, 'nested'))
    gitIn(join(path, 'nested'), 'init', '--quiet')
    write('nested/file', 'x\n')
    write('new', 'x\n')
    expect(await commitWork(git, work)).toMatchObject({ files: 1, note: expect.stringContaining('nested/') })
    expect(inTree('ls-files')).not.toContain('nested')
  })

  test('Muster commits nothing if the agent makes its own commits', async () => {
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
  test('landing puts the work on an advanced base and updates its checkout', async () => {
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

  test('landing uses a long-running filter of the user', async () => {
    const store = testFolder()
    stubUser(`[filter "store"]\n\tprocess = '${process.execPath}' '${FILTER}' '${store}'\n\trequired = true\n`)
    const { repo, git, work, write, land, diff, inTree, holds } = await setUp()
    const large = 'content\n'.repeat(20_000)
    write('.gitattributes', '*.bin filter=store\n')
    write('one.bin', 'one\n')
    write('two.bin', large)
    expect(await commitWork(git, work)).toMatchObject({ files: 3, note: null })
    const ran = () => readFileSync(join(store, 'log'), 'utf8')
    expect(ran()).toContain('start\nclean one.bin\nclean two.bin\n')
    for (const file of ['one.bin', 'two.bin']) expect(inTree('show', `HEAD:${file}`)).toMatch(/^pointer [0-9a-f]{64}$/)
    expect((await diff()).patch).toContain('+pointer ')

    rmSync(join(store, 'log'))
    const { tip } = await land(strategy)
    expect(ran()).toContain('start\nsmudge one.bin\nsmudge two.bin\n')
    expect(repo.git('show', 'main:two.bin')).toBe(inTree('show', 'HEAD:two.bin'))
    expect(readFileSync(join(repo.path, 'one.bin'), 'utf8')).toBe('one\n')
    expect(readFileSync(join(repo.path, 'two.bin'), 'utf8')).toBe(large)
    // Neither the worktree nor the user's checkout has changes.
    expect(await holds(tip)).toBeNull()
    expect(await git.run(await repositoryPlace(git, repo.path), 'status', '--porcelain')).toBe('')
  })

  test('a landing with conflicts is refused and changes nothing', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('readme', 'mine\n')
    await commitWork(git, work)
    repo.write('readme', 'theirs\n')
    const head = repo.commit('theirs')
    await expect(land(strategy)).rejects.toMatchObject({ code: 'land_refused', details: { conflicts: ['readme'] } })
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([head, ''])
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2)
  })

  test('later work of a card lands, even on lines that earlier work has changed', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('readme', 'first\n')
    await commitWork(git, work)
    // A commit is added to the target, because otherwise the landed commit could be the commit of the card itself.
    repo.write('before', 'x\n')
    repo.commit('before')
    await land(strategy)
    const landed = repo.git('rev-parse', 'main')
    repo.write('other', 'y\n')
    repo.commit('meanwhile')
    write('readme', 'second\n')
    await commitWork(git, { ...work, message: 'Again\n' })
    expect(await land(strategy)).toMatchObject({ outcome: 'landed' })
    expect(readFileSync(join(repo.path, 'readme'), 'utf8')).toBe('second\n')
    const made = repo.git('log', '--first-parent', '--format=%s', `${landed}..main`).split('\n')
    expect(made).toEqual([strategy === 'rebase' ? 'Again' : 'Write it', 'meanwhile'])
  })

  test('the user cannot commit in the checkout while a landing changes it', async () => {
    const { repo, trap, land } = await setUpTrapped()
    const answer = join(testFolder(), 'answer')
    const user = 'env -i GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b'
    const commitMine = `${user} "$git" -C ${repo.path} commit --allow-empty --message mine`
    trap.set('read-tree -m -u', `${commitMine} >${answer} 2>&1\n`)
    const { commit } = await land(strategy)
    expect(trap.hasSprung()).toBe(true)
    expect(readFileSync(answer, 'utf8')).toContain('index.lock')
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([commit, ''])
  })
})

test('a landing makes no commit for a change that the target already has', async () => {
  for (const strategy of ['squash', 'rebase'] as const) {
    const { repo, git, work, write, land } = await setUp()
    write('readme', 'same\n')
    await commitWork(git, work)
    repo.write('readme', 'same\n')
    const head = repo.commit('by hand')
    expect(await land(strategy)).toMatchObject({ outcome: 'nothing_to_land', commit: head })
    expect(repo.git('rev-parse', 'main')).toBe(head)
  }
})

test('a rebase keeps author, date and message of each commit', async () => {
  const { repo, write, land, inTree } = await setUp()
  const author = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.org']
  for (const name of ['one', 'two']) {
    write(name, `${name}\n`)
    inTree('add', name)
    inTree(
      ...author,
      'commit',
      '--quiet',
      '--author',
      `Eve <eve@example.org>`,
      '--date',
      '2001-02-03T04:05:06+0700',
      '-m',
      `${name}\n\nBody.`,
    )
  }
  repo.write('other', 'y\n')
  repo.commit('meanwhile')
  await land('rebase')
  const [two, one] = repo.git('log', '-2', '--format=%an <%ae>|%aI|%B%x00', 'main').split('\0')
  expect(one?.trim()).toBe('Eve <eve@example.org>|2001-02-03T04:05:06+07:00|one\n\nBody.')
  expect(two?.trim()).toBe('Eve <eve@example.org>|2001-02-03T04:05:06+07:00|two\n\nBody.')
})

test('a landing runs no hook and signs no commit', async () => {
  const { repo, home, git, work, write, land } = await setUp()
  const ran = join(home, 'ran')
  const script = join(home, 'hooks', 'pre-commit')
  mkdirSync(dirname(script))
  for (const name of ['pre-commit', 'commit-msg', 'post-checkout', 'post-commit', 'reference-transaction', 'gpg'])
    writeFileSync(join(dirname(script), name), `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 })
  stubUser(
    `[core]\n\thooksPath = ${dirname(script)}\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${dirname(script)}/gpg\n[log]\n\tshowSignature = true\n`,
  )
  write('new', 'x\n')
  expect(await commitWork(git, work)).toMatchObject({ note: null, files: 1 })
  repo.write('other', 'y\n')
  repo.commit('meanwhile')
  expect(await land('rebase')).toMatchObject({ outcome: 'landed' })
  expect(existsSync(ran)).toBe(false)
})

test('a file with a new time but equal content does not stop a landing', async () => {
  const { repo, git, work, write, land } = await setUp()
  write('readme', 'new\n')
  await commitWork(git, work)
  utimesSync(join(repo.path, 'readme'), 1, 1)
  expect(await land()).toMatchObject({ outcome: 'landed' })
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a landing on a branch that is not checked out changes no files', async () => {
  const { repo, git, work, write, land } = await setUp()
  write('new', 'x\n')
  await commitWork(git, work)
  repo.git('checkout', '--quiet', '-b', 'elsewhere')
  const { commit } = await land()
  expect(repo.git('rev-parse', 'main')).toBe(commit)
  expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain')]).toEqual([work.from, ''])
})

describe('refused landings', () => {
  test('landing is refused if it would overwrite files in the checkout of the target branch', async () => {
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

  test('landing is refused while a merge or rebase is under way', async () => {
    const { repo, git, work, write, land } = await setUp()
    write('new', 'x\n')
    await commitWork(git, work)
    repo.git('checkout', '--quiet', '-b', 'side')
    repo.git('commit', '--quiet', '--allow-empty', '--message', 'side')
    repo.git('checkout', '--quiet', 'main')
    repo.git('merge', '--quiet', '--no-ff', '--no-commit', 'side')
    await expect(land()).rejects.toThrow(/A merge is under way .* git merge --abort/)
    repo.git('merge', '--abort')
    repo.write('readme', 'more\n')
    const head = repo.commit('more')
    repo.git('-c', 'sequence.editor=sed -i s/^pick/edit/', 'rebase', '--quiet', '--interactive', 'HEAD~1')
    await expect(land()).rejects.toThrow(/A rebase is under way .* git rebase --abort/)
    repo.git('rebase', '--continue')
    expect(repo.git('rev-parse', 'main')).toBe(head)
    expect(await land()).toMatchObject({ outcome: 'landed' })
  })

  test('landing is refused if the target branch moves during the landing', async () => {
    const { repo, trap, land } = await setUpTrapped()
    const moved = repo.git('commit-tree', '-p', 'main', '-m', 'moved', 'main^{tree}')
    trap.set('update-ref -m', `env -i "$git" -C ${repo.path} update-ref refs/heads/main ${moved}\n`)
    await expect(land()).rejects.toMatchObject({ code: 'base_moved' })
    expect(trap.hasSprung()).toBe(true)
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([moved, ''])
  })

  test('a full disk stops a landing and changes nothing', async () => {
    const { repo, trap, land } = await setUpTrapped()
    const head = repo.git('rev-parse', 'main')
    trap.set('read-tree -m -u', '"$git" "$@"; echo "fatal: No space left on device" >&2; exit 128')
    await expect(land()).rejects.toMatchObject({ code: 'disk_full' })
    expect([repo.git('rev-parse', 'main'), repo.git('status', '--porcelain')]).toEqual([head, ''])
    expect(existsSync(join(repo.path, '.git/index.lock'))).toBe(false)
  })

  test('a landing that loses the repository lock stops and changes nothing more', async () => {
    const { repo, trap, land } = await setUpTrapped()
    const head = repo.git('rev-parse', 'main')
    const lock = join(repo.path, '.git/muster-worktree.lock')
    trap.set('read-tree -m -u', `echo theirs >${lock}\n`)
    await expect(land()).rejects.toMatchObject({ code: 'directory_busy' })
    expect(repo.git('rev-parse', 'main')).toBe(head)
    expect(readFileSync(lock, 'utf8')).toBe('theirs\n')
    expect(existsSync(join(repo.path, '.git/index.lock'))).toBe(true)
  })

  test('landing on a missing branch or on the card’s own branch is refused', async () => {
    const { git, work, write, landInto, branch } = await setUp()
    write('new', 'x\n')
    await commitWork(git, work)
    await expect(landInto('nope')).rejects.toThrow(/has no branch "nope": name one with --into/)
    await expect(landInto('main~0')).rejects.toThrow(/has no branch "main~0"/)
    await expect(landInto(branch)).rejects.toThrow(/is the branch of t_0123456789 itself/)
  })
})

test('a repository that another process keeps locked is reported as busy', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'muster-worktree.lock'), `${process.pid}\n`)
  await expect(withRepository(folder, AbortSignal.timeout(30), async () => 1)).rejects.toBeInstanceOf(RepositoryBusy)
})

test('a diff shows uncommitted work too', async () => {
  const { write, diff } = await setUp()
  write('new', 'x\n')
  expect(await diff()).toMatchObject({
    files: [{ path: 'new', added: 1, removed: 0 }],
    patch: expect.stringContaining('+x'),
  })
})

describe('the changes of a card, file by file', () => {
  test('a diff lists renamed, binary and new files with their counts', async () => {
    const { git, work, write, diff, inTree } = await setUp()
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
    write('old name', lines)
    await commitWork(git, work)
    inTree('mv', 'readme', 'docs readme')
    write('picture', '\0\u0001')
    const { files, patch } = await diff(null)
    expect(files).toMatchObject([
      { path: 'docs readme', change: 'renamed', from: 'readme', added: 0, removed: 0 },
      { path: 'old name', change: 'added', from: null, added: 30, removed: 0 },
      { path: 'picture', change: 'added', from: null, added: null, removed: null },
    ])
    expect(patch).toContain('rename from readme')
  })

  test('the patch of one file has only the lines of that file, and names its former path', async () => {
    const { write, diff, inTree } = await setUp()
    inTree('mv', 'readme', 'a [b]*')
    write('other', 'x\n')
    const found = await diff(null, 'a [b]*')
    expect(found.files).toMatchObject([{ path: 'a [b]*', change: 'renamed', from: 'readme' }])
    expect(found.patch).toContain('rename from readme')
    expect(found.patch).not.toContain('other')
    await expect(diff(null, 'missing')).rejects.toMatchObject({ code: 'diff_refused' })
  })

  test('a diff marks links and executable files', async () => {
    const { diff, inTree, path } = await setUp()
    symlinkSync('readme', join(path, 'link'))
    chmodSync(join(path, 'readme'), 0o755)
    expect(inTree('status', '--porcelain')).not.toBe('')
    expect((await diff()).files).toMatchObject([
      { path: 'link', kind: 'link', wasKind: 'link' },
      { path: 'readme', kind: 'executable', wasKind: 'file', added: 0 },
    ])
  })

  test('the lines of a file come from the state of an earlier answer, with as much context as requested', async () => {
    const { write, diff } = await setUp()
    write('notes', 'one\n')
    const { range } = await diff()
    write('notes', 'one\ntwo\n')
    expect((await diff(null, 'notes', { range })).patch).not.toContain('+two')
    expect((await diff(null, 'notes', { context: 0 })).patch).toContain('+two')
  })

  test('a search ignores case and lists the files with the text in a changed line', async () => {
    const { write, diff } = await setUp()
    write('a', 'The Price (net)\n')
    write('b', 'other\n')
    const matching = async (find: string) => (await diff(null, undefined, { find })).matching
    expect(await matching('price (NET)')).toEqual(['a'])
    expect(await matching('pr.ce')).toEqual([])
    expect((await diff()).matching).toBeNull()
  })

  test('changes of white space can be ignored', async () => {
    const { git, work, write, diff } = await setUp()
    write('spaces', 'a b\n')
    await commitWork(git, work)
    const { head } = await diff()
    write('spaces', 'a    b\n')
    const { range } = await diff()
    const state = { range: `${head}..${range.split('..')[1] ?? ''}` }
    expect((await diff(null, undefined, state)).files).toMatchObject([{ path: 'spaces', added: 1, removed: 1 }])
    expect((await diff(null, undefined, { ...state, ignoresSpace: true })).files).toEqual([])
  })

  test('a patch with too many lines or bytes is left out of the diff', async () => {
    const { write, diff } = await setUp()
    write('many lines', 'x\n'.repeat(30_000))
    write('long line', 'x'.repeat(3_000_000))
    for (const file of ['many lines', 'long line'])
      expect(await diff(null, file)).toMatchObject({ patch: null, isTooLarge: true, files: [{ path: file }] })
  })
})
