// Ways in which an agent could make the board's git run a command. Each plants a command. Ordinary git must run it, which
// proves the trick. The board then does everything that it does with a workspace, and the command must not have run.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import { hashContent } from '../../src/file-helper/probes/content-hash.ts'
import { checkoutWork } from '../../src/workspaces/landing/checkout-work.ts'
import { commitWork } from '../../src/workspaces/landing/commit-work.ts'
import { diffWork } from '../../src/workspaces/landing/diff-work.ts'
import { gitWith } from '../../src/workspaces/git/git.ts'
import { landBranch } from '../../src/workspaces/landing/land-branch.ts'
import { STRATEGIES } from '../../src/workspaces/landing/landing-commit.ts'
import { snapshotWorktree } from '../../src/workspaces/files/snapshots.ts'
import { worktreeHolds } from '../../src/workspaces/git/worktree-changes.ts'
import { findWorktree, makeWorktree, markReady } from '../../src/workspaces/git/worktree.ts'
import { placeOfWorktree, repositoryPlace } from '../../src/workspaces/git/repository.ts'
import { gitIn, makeRepository, repositoryAt, testFolder } from '../helpers/repository.ts'
import type { TestRepository } from '../helpers/repository.ts'

const { signal } = new AbortController()
const ignored = { link: [], copy: [] }

interface Scene {
  readonly repo: TestRepository
  /** The worktree of a card, with a file that git has not seen. */
  readonly tree: string
  readonly home: string
  readonly canary: string
  /** A script that makes the canary and fails. */
  readonly script: string
  at(...path: string[]): string
  /** A folder of the agent's own, outside the worktree. */
  readonly lair: string
}

type Trick = (scene: Scene) => Trigger | Promise<Trigger>
/** What makes ordinary git run the planted command. */
type Trigger = () => unknown

const WITH_FILTER = { PATH: process.env['PATH'], HOME: '/nowhere' }

/**
 * Every test has its scene at the same path, copied from a template. Making a scene takes a dozen git processes, and a
 * worktree cannot be copied to another path, because git records absolute paths.
 */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-tricks-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [stage, template, planted] = ['stage', 'template', 'planted'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const home = join(stage, 'home')
const lair = join(stage, 'lair')
const tree = join(home, 'boards', 'main', 'workspaces', 't_1')
const canary = join(lair, 'canary')
const script = join(lair, 'script')

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true, verbatimSymlinks: true })

/** Puts the scene back as it was before ordinary git changed it. */
function restorePlanted(): void {
  rmSync(stage, { recursive: true })
  renameSync(planted, stage)
}

async function makeScene(): Promise<Scene> {
  if (!existsSync(template)) await makeTemplate()
  rmSync(stage, { recursive: true, force: true })
  copy(template, stage)
  return {
    repo: repositoryAt(join(stage, 'repo')),
    tree,
    home,
    canary,
    script,
    lair,
    at: (...path) => join(tree, ...path),
  }
}

async function makeTemplate(): Promise<void> {
  for (const path of [lair, dirname(tree)]) mkdirSync(path, { recursive: true })
  const repo = repositoryAt(join(stage, 'repo'))
  copy(makeRepository().path, repo.path)
  repo.write('data.bin', 'one\n')
  repo.commit('data')
  const git = gitWith({ home, env: WITH_FILTER, signal })
  const made = await makeWorktree(git, { repo: repo.path, path: tree, branch: 'muster/t_1', ignored }, signal)
  await markReady(git, { repo: repo.path, path: tree }, made)
  writeFileSync(script, `#!/bin/sh\ntouch ${canary}\nexit 1\n`)
  chmodSync(script, 0o755)
  writeFileSync(join(tree, 'data.bin'), 'two\n')
  renameSync(stage, template)
}

/** Everything that the board does with the workspace of a card; failures are no matter here. */
async function useEverything({ repo, tree, home }: Scene): Promise<void> {
  const git = gitWith({ home, env: WITH_FILTER, signal })
  const attempt = (act: () => Promise<unknown>): Promise<unknown> => act().catch(() => null)
  const content = { folder: tree, home }
  await attempt(() => hashContent({ ...content, workspace: { kind: 'worktree', repo: repo.path } }))
  await attempt(() => hashContent({ ...content, workspace: { kind: 'dir', repo: null } }))
  await attempt(() => hashContent({ ...content, workspace: { kind: 'scratch', repo: null } }))
  await attempt(() => hashContent({ folder: repo.path, home, workspace: { kind: 'dir', repo: null } }))
  await attempt(() => worktreeHolds({ home, folder: tree, repo: repo.path, landedTip: null }))
  await attempt(() => findWorktree(git, { repo: repo.path, path: tree }))
  await attempt(() => snapshotWorktree({ home, board: 'main', task: 't_1' as TaskId }, tree, repo.path))
  const other = { repo: repo.path, path: join(dirname(tree), 't_2'), branch: 'muster/t_2', ignored }
  await attempt(() => makeWorktree(git, other, signal))
  const place = await placeOfWorktree(git, { repo: repo.path, path: tree }).catch(() => null)
  if (place === null) return
  const from = (await git.run(place, 'rev-parse', 'refs/heads/main')).trim()
  const work = { place, branch: 'muster/t_1', from, message: 'all', commit: 'board' } as const
  await attempt(() => commitWork(git, work))
  const card = { home, card: 't_1', repo: repo.path, branch: work.branch, path: tree, base: from }
  await attempt(() => diffWork({ ...card, baseBranch: 'main', landedTip: null, patch: true }))
  for (const strategy of STRATEGIES)
    await attempt(() => landBranch({ ...card, into: 'main', strategy, message: 'all' }))
  await attempt(() => git.run(place, 'update-index', '--add', 'data.bin'))
  await attempt(() => git.run(place, 'diff', '--stat', 'HEAD'))
  await attempt(() => git.run(place, 'diff', 'HEAD'))
  await attempt(() => git.run(place, '--paginate', 'diff', 'HEAD'))
  await attempt(() => git.run(place, ...OPENS_PAGER))
  await attempt(() => git.run(place, 'commit', '--quiet', '--message', 'all'))
  await attempt(() => git.run(place, 'merge-tree', '--write-tree', 'HEAD', 'refs/heads/main'))
  await attempt(() => git.run(place, 'cherry-pick', 'refs/heads/main'))
  await attempt(() => git.run(place, 'checkout', '--quiet', '--detach', 'refs/heads/main'))
  // With the worktree gone, the user's checkout is switched to the branch.
  rmSync(other.path, { recursive: true, force: true })
  const owner = { home, board: 'main', task: 't_2' as TaskId }
  await attempt(() => checkoutWork({ card: 't_2', repo: repo.path, branch: other.branch, place: owner }))
}

/** Starts a pager also where there is no terminal. */
const OPENS_PAGER = ['grep', '--open-files-in-pager', 'two'] as const

const attributed = ({ tree }: Scene, text: string): void => writeFileSync(join(tree, '.gitattributes'), `${text}\n`)
const configured = ({ repo }: Scene, name: string, value: string): string => repo.git('config', name, value)
const inTree =
  ({ tree }: Scene, ...args: string[]): Trigger =>
  () =>
    gitIn(tree, ...args)

/** An object that only the named remote has; `ls-files` reads it as the ignore file. */
function missingIgnoreFile(folder: string): Trigger {
  const hash = '1234567890123456789012345678901234567890'
  writeFileSync(join(folder, 'loose'), 'x')
  gitIn(folder, 'rm', '--quiet', '--cached', '--ignore-unmatch', '.gitignore')
  rmSync(join(folder, '.gitignore'), { force: true })
  gitIn(folder, 'update-index', '--add', '--cacheinfo', `100644,${hash},.gitignore`)
  gitIn(folder, 'update-index', '--skip-worktree', '.gitignore')
  return () => gitIn(folder, 'ls-files', '--others', '--exclude-standard')
}

function promisor(folder: string, settings: Record<string, string>): Trigger {
  const named = { 'core.repositoryformatversion': '1', 'extensions.partialClone': 'far', 'remote.far.promisor': 'true' }
  for (const [name, value] of Object.entries({ ...named, ...settings })) gitIn(folder, 'config', name, value)
  return missingIgnoreFile(folder)
}

function nested(scene: Scene): string {
  const folder = scene.at('nested')
  mkdirSync(folder)
  gitIn(folder, 'init', '--quiet')
  writeFileSync(join(folder, 'file'), 'x')
  gitIn(folder, 'add', '.')
  gitIn(folder, 'commit', '--quiet', '--message', 'inner')
  return folder
}

/** Conflicting changes of one file, so that a merge needs the driver. */
function conflicting(scene: Scene): void {
  gitIn(scene.tree, 'commit', '--quiet', '--all', '--message', 'mine')
  scene.repo.write('data.bin', 'three\n')
  scene.repo.commit('theirs')
}

const TRICKS: Record<string, Trick> = {
  'a .git file repointed to a folder with a filter': (scene) => {
    const fake = join(scene.lair, 'fake')
    gitIn(scene.repo.path, 'clone', '--quiet', '--bare', scene.repo.path, fake)
    gitIn(fake, 'config', 'core.bare', 'false')
    gitIn(fake, 'config', 'filter.x.clean', scene.script)
    writeFileSync(scene.at('.git'), `gitdir: ${fake}\n`)
    gitIn(scene.tree, 'read-tree', 'HEAD')
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'status')
  },
  'a .git folder in place of the file, with a monitor': (scene) => {
    rmSync(scene.at('.git'))
    gitIn(scene.tree, 'init', '--quiet')
    gitIn(scene.tree, 'config', 'core.fsmonitor', scene.script)
    return inTree(scene, 'status')
  },
  'a clean filter of the repository': (scene) => {
    configured(scene, 'filter.x.clean', scene.script)
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'add', 'data.bin')
  },
  'a smudge filter of the repository': (scene) => {
    configured(scene, 'filter.x.smudge', scene.script)
    scene.repo.write('.gitattributes', '*.bin filter=x\n')
    scene.repo.commit('attributes')
    return () => gitIn(scene.repo.path, 'worktree', 'add', '--quiet', join(scene.lair, 'third'))
  },
  'a filter process of the repository': (scene) => {
    configured(scene, 'filter.x.process', scene.script)
    configured(scene, 'filter.x.required', 'true')
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'add', 'data.bin')
  },
  'a filter in a file that the repository includes': (scene) => {
    const file = join(scene.lair, 'included')
    writeFileSync(file, `[filter "x"]\n\tclean = ${scene.script}\n`)
    configured(scene, 'include.path', file)
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'add', 'data.bin')
  },
  'a filter in a file that the repository includes for one folder': (scene) => {
    const file = join(scene.lair, 'included')
    writeFileSync(file, `[filter "x"]\n\tclean = ${scene.script}\n`)
    configured(scene, 'includeIf.gitdir:/**.path', file)
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'add', 'data.bin')
  },
  'a filter in the configuration of the worktree': (scene) => {
    configured(scene, 'extensions.worktreeConfig', 'true')
    gitIn(scene.tree, 'config', '--worktree', 'filter.x.clean', scene.script)
    attributed(scene, '*.bin filter=x')
    return inTree(scene, 'add', 'data.bin')
  },
  'attributes that the repository names, with its filter': (scene) => {
    const file = join(scene.lair, 'attributes')
    writeFileSync(file, '*.bin filter=x\n')
    configured(scene, 'core.attributesFile', file)
    configured(scene, 'filter.x.clean', scene.script)
    return inTree(scene, 'add', 'data.bin')
  },
  'a hook in the repository': (scene) => {
    for (const name of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      const hook = join(scene.repo.path, '.git/hooks', name)
      mkdirSync(dirname(hook), { recursive: true })
      writeFileSync(hook, readFileSync(scene.script))
      chmodSync(hook, 0o755)
    }
    return inTree(scene, 'update-ref', 'refs/heads/another', 'HEAD')
  },
  'a folder of hooks that the repository names': (scene) => {
    const hook = join(scene.lair, 'hooks', 'reference-transaction')
    mkdirSync(dirname(hook))
    writeFileSync(hook, readFileSync(scene.script))
    chmodSync(hook, 0o755)
    configured(scene, 'core.hooksPath', dirname(hook))
    return inTree(scene, 'update-ref', 'refs/heads/another', 'HEAD')
  },
  'a file system monitor of the repository': (scene) => {
    configured(scene, 'core.fsmonitor', scene.script)
    return inTree(scene, 'status')
  },
  'an external diff of the repository': (scene) => {
    configured(scene, 'diff.external', scene.script)
    return inTree(scene, 'diff')
  },
  'a diff driver of the repository': (scene) => {
    configured(scene, 'diff.x.command', scene.script)
    attributed(scene, '*.bin diff=x')
    return inTree(scene, 'diff')
  },
  'a text conversion of the repository': (scene) => {
    configured(scene, 'diff.x.textconv', scene.script)
    attributed(scene, '*.bin diff=x')
    return inTree(scene, 'diff')
  },
  'a merge driver of the repository': (scene) => {
    configured(scene, 'merge.x.driver', scene.script)
    scene.repo.write('.gitattributes', '*.bin merge=x\n')
    attributed(scene, '*.bin merge=x')
    conflicting(scene)
    return () => gitIn(scene.tree, 'merge', 'main')
  },
  'a signing program of the repository': (scene) => {
    configured(scene, 'commit.gpgSign', 'true')
    configured(scene, 'gpg.program', scene.script)
    return inTree(scene, 'commit', '--all', '--message', 'signed')
  },
  'an editor of the repository': (scene) => {
    configured(scene, 'core.editor', scene.script)
    configured(scene, 'commit.verbose', 'true')
    return () => gitIn(scene.tree, '-c', 'advice.x=false', 'commit', '--all', '--edit', '--message', 'edited')
  },
  'a pager of the repository': (scene) => {
    configured(scene, 'core.pager', scene.script)
    return inTree(scene, ...OPENS_PAGER)
  },
  'a pager of the repository for one command': (scene) => {
    for (const command of ['diff', 'grep', 'log', 'show', 'status']) configured(scene, `pager.${command}`, scene.script)
    return inTree(scene, ...OPENS_PAGER)
  },
  'an upload program of a promisor remote': (scene) =>
    promisor(scene.repo.path, { 'remote.far.url': scene.lair, 'remote.far.uploadpack': scene.script }),
  'an ssh command of the repository': (scene) =>
    promisor(scene.repo.path, { 'remote.far.url': 'ssh://localhost/x', 'core.sshCommand': scene.script }),
  'a proxy command of the repository': (scene) =>
    promisor(scene.repo.path, { 'remote.far.url': 'git://localhost/x', 'core.gitProxy': scene.script }),
  'a remote whose address is a command': (scene) =>
    promisor(scene.repo.path, { 'remote.far.url': `ext::${scene.script}`, 'protocol.ext.allow': 'always' }),
  'an address that becomes a command when it is rewritten': (scene) =>
    promisor(scene.repo.path, {
      'remote.far.url': `far:${scene.script}`,
      'url.ext:.insteadOf': 'far',
      'protocol.ext.allow': 'always',
    }),
  'a credential helper of the repository': async (scene) => {
    const server = createServer((_, answer) => answer.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    promisor(scene.repo.path, {
      'remote.far.url': `http://127.0.0.1:${port}/x`,
      'credential.helper': `!${scene.script}`,
    })
    const env = { ...WITH_FILTER, GIT_TERMINAL_PROMPT: '0' }
    const how = { cwd: scene.repo.path, env }
    return () => promisify(execFile)('git', ['ls-files', '--others', '--exclude-standard'], how)
  },
  'a nested repository with an upload program': (scene) =>
    promisor(nested(scene), { 'remote.far.url': scene.lair, 'remote.far.uploadpack': scene.script }),
  'a nested repository with a monitor': (scene) => {
    const folder = nested(scene)
    gitIn(folder, 'config', 'core.fsmonitor', scene.script)
    return () => gitIn(folder, 'status')
  },
  'a submodule repointed to a folder with a filter': (scene) => {
    const inner = makeRepository()
    gitIn(scene.tree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    gitIn(scene.tree, 'commit', '--quiet', '--message', 'with a submodule')
    const fake = join(scene.lair, 'fake')
    gitIn(inner.path, 'clone', '--quiet', '--bare', inner.path, fake)
    gitIn(fake, 'config', 'core.bare', 'false')
    gitIn(fake, 'config', 'filter.x.clean', scene.script)
    writeFileSync(scene.at('lib/.git'), `gitdir: ${fake}\n`)
    gitIn(scene.at('lib'), 'read-tree', 'HEAD')
    writeFileSync(scene.at('lib/.gitattributes'), '* filter=x\n')
    writeFileSync(scene.at('lib/readme'), 'changed\n')
    return inTree(scene, 'status')
  },
  'a filter in the configuration of a submodule': (scene) => {
    const inner = makeRepository()
    gitIn(scene.tree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    gitIn(scene.tree, 'commit', '--quiet', '--message', 'with a submodule')
    gitIn(scene.at('lib'), 'config', 'filter.x.clean', scene.script)
    gitIn(scene.at('lib'), 'config', 'core.fsmonitor', scene.script)
    writeFileSync(scene.at('lib/.gitattributes'), '* filter=x\n')
    writeFileSync(scene.at('lib/readme'), 'changed\n')
    return inTree(scene, 'status')
  },
  'a filter of a submodule in the checkout of the user, which .gitmodules tells git to look into': (scene) => {
    const inner = makeRepository()
    const { repo } = scene
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    repo.git('config', '--file', '.gitmodules', 'submodule.lib.ignore', 'none')
    repo.commit('with a submodule')
    repo.git('config', '--remove-section', 'submodule.lib')
    gitIn(join(repo.path, 'lib'), 'config', 'filter.x.clean', scene.script)
    repo.write('lib/.gitattributes', '* filter=x\n')
    repo.write('lib/readme', 'changed\n')
    return () => repo.git('status', '--ignore-submodules=none')
  },
  'an update command of a submodule': (scene) => {
    const inner = makeRepository()
    scene.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib')
    scene.repo.commit('with a submodule')
    configured(scene, 'submodule.lib.update', `!${scene.script}`)
    const clone = join(scene.lair, 'third')
    const allowed = ['-c', 'protocol.file.allow=always']
    return () => {
      scene.repo.git('worktree', 'add', '--quiet', clone)
      gitIn(clone, ...allowed, 'submodule', 'update', '--init')
    }
  },
}

describe('the board’s git does not run a planted command that ordinary git runs:', () => {
  test.each(Object.entries(TRICKS))('%s', async (_, plant) => {
    const scene = await makeScene()
    const trigger = await plant(scene)
    rmSync(canary, { force: true })
    copy(stage, planted)
    try {
      await trigger()
    } catch {
      // The planted command may make git fail; it has run all the same.
    }
    expect(existsSync(canary)).toBe(true)
    restorePlanted()
    await useEverything(scene)
    expect(existsSync(canary)).toBe(false)
  })
})

describe('a filter of the user’s own configuration', () => {
  const withFilter = (): string => {
    const user = testFolder()
    writeFileSync(
      join(user, '.gitconfig'),
      '[filter "x"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n',
    )
    return user
  }

  test('runs when the board makes a worktree, looks for changes and adds files', async () => {
    const repo = makeRepository()
    const user = withFilter()
    const home = testFolder()
    repo.write('.gitattributes', '*.txt filter=x\n')
    repo.write('big.txt', 'CONTENT\n')
    repo.commit('as it is stored')
    const git = gitWith({ home, env: { ...WITH_FILTER, HOME: user }, signal })
    const wish = { repo: repo.path, path: join(home, 't_1'), branch: 'muster/t_1', ignored }
    await makeWorktree(git, wish, signal)
    expect(readFileSync(join(wish.path, 'big.txt'), 'utf8')).toBe('content\n')
    const place = await placeOfWorktree(git, wish)
    if (place === null) throw new Error('there is no worktree')
    expect(await git.run(place, 'status', '--porcelain')).toBe('')
    writeFileSync(join(wish.path, 'new.txt'), 'more\n')
    await git.run(place, 'add', '--all')
    expect(await git.run(place, 'show', ':new.txt')).toBe('MORE\n')
  })

  test('is not replaced by one of the repository with the same name', async () => {
    const scene = await makeScene()
    configured(scene, 'filter.x.clean', scene.script)
    attributed(scene, '*.bin filter=x')
    const git = gitWith({ home: scene.home, env: { ...WITH_FILTER, HOME: withFilter() }, signal })
    const place = await placeOfWorktree(git, { repo: scene.repo.path, path: scene.tree })
    if (place === null) throw new Error('there is no worktree')
    await git.run(place, 'add', '--all')
    expect(await git.run(place, 'show', ':data.bin')).toBe('TWO\n')
    expect(existsSync(scene.canary)).toBe(false)
  })
})

test.each([
  ['', (command: string) => `[core]\n\tsshCommand = ${command}\n`],
  [
    ', included for one folder',
    (command: string, { repo, lair }: Scene) => {
      writeFileSync(join(lair, 'included'), `[core]\n\tsshCommand = ${command}\n`)
      return `[includeIf "gitdir:${repo.path}/"]\n\tpath = ${join(lair, 'included')}\n`
    },
  ],
])('an ssh command of the user’s own configuration runs, not that of the repository%s', async (_, configOf) => {
  const scene = await makeScene()
  promisor(scene.repo.path, { 'remote.far.url': 'ssh://localhost/x', 'core.sshCommand': scene.script })
  const [user, ran] = [testFolder(), join(scene.lair, 'ran')]
  writeFileSync(join(scene.lair, 'ssh'), `#!/bin/sh\necho "$@" >${ran}\nexit 1\n`, { mode: 0o755 })
  writeFileSync(join(user, '.gitconfig'), configOf(join(scene.lair, 'ssh -v'), scene))
  const git = gitWith({ home: scene.home, env: { ...WITH_FILTER, HOME: user }, signal })
  const place = await repositoryPlace(git, scene.repo.path)
  await git.ask(place, 'ls-files', '--others', '--exclude-standard')
  expect(readFileSync(ran, 'utf8')).toMatch(/^-v .*localhost/)
  expect(existsSync(scene.canary)).toBe(false)
})

test('a program called git in the workspace does not run, though the PATH names its folder first', async () => {
  const scene = await makeScene()
  writeFileSync(scene.at('git'), readFileSync(scene.script))
  chmodSync(scene.at('git'), 0o755)
  const git = gitWith({ home: scene.home, env: { PATH: `.:${process.env['PATH']}` }, signal })
  const place = await placeOfWorktree(git, { repo: scene.repo.path, path: scene.tree })
  if (place === null) throw new Error('there is no worktree')
  expect(await git.run(place, 'status', '--porcelain')).toContain('?? git')
  expect(existsSync(scene.canary)).toBe(false)
})

test('a pager that the environment names does not run', async () => {
  const scene = await makeScene()
  const pager = { GIT_PAGER: scene.script, PAGER: scene.script }
  const git = gitWith({ home: scene.home, env: { ...WITH_FILTER, ...pager }, signal })
  const place = await placeOfWorktree(git, { repo: scene.repo.path, path: scene.tree })
  if (place === null) throw new Error('there is no worktree')
  expect(await git.run(place, ...OPENS_PAGER)).toBe('data.bin:two\n')
  expect(existsSync(scene.canary)).toBe(false)
})

test('settings of the repository that name no program still apply', async () => {
  const repo = makeRepository()
  const home = testFolder()
  repo.git('config', 'core.autocrlf', 'true')
  repo.git('config', 'user.name', 'Ada "the\\first"')
  const git = gitWith({ home, env: WITH_FILTER, signal })
  const place = await repositoryPlace(git, repo.path)
  expect(await git.run(place, 'config', 'core.autocrlf')).toBe('true\n')
  expect(await git.run(place, 'config', 'user.name')).toBe('Ada "the\\first"\n')
  repo.git('config', 'core.autocrlf', 'input')
  expect(await git.run(place, 'config', 'core.autocrlf')).toBe('input\n')
})
