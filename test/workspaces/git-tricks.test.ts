// Tricks with which an agent could make the board's git run a command. Each trick plants a command. First, ordinary git
// must run the command, which proves that the trick works. Then the board does everything that it does with a
// workspace, and the command must not run. `npm test` plants several tricks in one repository, `npm run prove -- git`
// also each on its own.
import { execFile } from 'node:child_process'
import {
  appendFileSync,
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
import { reasonToKeepWorktree } from '../../src/workspaces/git/worktree-changes.ts'
import { findWorktree, makeWorktree, markReady } from '../../src/workspaces/git/worktree.ts'
import { placeOfWorktree, repositoryPlace } from '../../src/workspaces/git/repository.ts'
import { gitIn, makeRepository, repositoryAt, testFolder } from '../helpers/repository.ts'
import type { TestRepository } from '../helpers/repository.ts'

const { signal } = new AbortController()
const ignored = { link: [], copy: [] }

interface TrickSetup {
  readonly repo: TestRepository
  /** The worktree of a card, in which every data file is changed. */
  readonly tree: string
  readonly home: string
  /** The data file of this trick. */
  readonly file: string
  /** Names the drivers, remotes and folders of this trick, so that several tricks fit into one repository. */
  readonly name: string
  readonly canary: string
  /** A script that creates the canary file and fails. */
  readonly script: string
  at(...path: string[]): string
  /** A folder of the agent, outside the worktree. */
  readonly agentFolder: string
}

type Trick = (setup: TrickSetup) => Trigger | Promise<Trigger>
/** A function that makes ordinary git run the planted command. */
type Trigger = () => unknown

const WITH_FILTER = { PATH: process.env['PATH'], HOME: '/nowhere' }

/**
 * Every test has its setup at the same path, copied from a template, because making a setup takes a dozen git
 * processes. The path is the same because git records absolute paths, so a copy of a worktree would not work at another
 * path.
 */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-tricks-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [stage, template, planted] = ['stage', 'template', 'planted'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const home = join(stage, 'home')
const agentFolder = join(stage, 'agentFolder')
const tree = join(home, 'boards', 'main', 'workspaces', 't_1')
/** The data files, one per trick of a group. */
const FILES = Array.from({ length: 12 }, (_, at) => `data${at}.bin`)

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true, verbatimSymlinks: true })

/** Restores the state of the stage before ordinary git changed it. */
function restorePlanted(): void {
  rmSync(stage, { recursive: true })
  copy(planted, stage)
}

async function resetStage(): Promise<void> {
  if (!existsSync(template)) await makeTemplate()
  for (const path of [stage, planted]) rmSync(path, { recursive: true, force: true })
  copy(template, stage)
}

/** The part of the stage that one trick uses. */
function setupOf(at: number): TrickSetup {
  const name = `x${at}`
  const own = join(agentFolder, name)
  const [canary, script] = [join(own, 'canary'), join(own, 'script')]
  mkdirSync(own)
  writeFileSync(script, `#!/bin/sh\ntouch ${canary}\nexit 1\n`, { mode: 0o755 })
  const repo = repositoryAt(join(stage, 'repo'))
  return {
    repo,
    tree,
    home,
    file: `data${at}.bin`,
    name,
    canary,
    script,
    agentFolder: own,
    at: (...path) => join(tree, ...path),
  }
}

async function makeSetup(): Promise<TrickSetup> {
  await resetStage()
  return setupOf(0)
}

async function makeTemplate(): Promise<void> {
  for (const path of [agentFolder, dirname(tree)]) mkdirSync(path, { recursive: true })
  const repo = repositoryAt(join(stage, 'repo'))
  copy(makeRepository().path, repo.path)
  for (const file of FILES) repo.write(file, 'one\n')
  repo.commit('data')
  const git = gitWith({ home, env: WITH_FILTER, signal })
  const made = await makeWorktree(git, { repo: repo.path, path: tree, branch: 'muster/t_1', ignored }, signal)
  await markReady(git, { repo: repo.path, path: tree }, made)
  for (const file of FILES) writeFileSync(join(tree, file), 'two\n')
  renameSync(stage, template)
}

/** Does everything that the board does with the workspace of a card. Failures are ignored. */
async function useEverything({ repo, tree, home }: Pick<TrickSetup, 'repo' | 'tree' | 'home'>): Promise<void> {
  const git = gitWith({ home, env: WITH_FILTER, signal })
  const attempt = (act: () => Promise<unknown>): Promise<unknown> => act().catch(() => null)
  const content = { folder: tree, home }
  await attempt(() => hashContent({ ...content, workspace: { kind: 'worktree', repo: repo.path } }))
  await attempt(() => hashContent({ ...content, workspace: { kind: 'dir', repo: null } }))
  await attempt(() => hashContent({ ...content, workspace: { kind: 'scratch', repo: null } }))
  await attempt(() => hashContent({ folder: repo.path, home, workspace: { kind: 'dir', repo: null } }))
  await attempt(() => reasonToKeepWorktree({ home, folder: tree, repo: repo.path, landedTip: null }))
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
  await attempt(() => git.run(place, 'update-index', '--add', ...FILES))
  await attempt(() => git.run(place, 'diff', '--stat', 'HEAD'))
  await attempt(() => git.run(place, 'diff', 'HEAD'))
  await attempt(() => git.run(place, '--paginate', 'diff', 'HEAD'))
  await attempt(() => git.run(place, ...OPENS_PAGER))
  await attempt(() => git.run(place, 'commit', '--quiet', '--message', 'all'))
  await attempt(() => git.run(place, 'merge-tree', '--write-tree', 'HEAD', 'refs/heads/main'))
  await attempt(() => git.run(place, 'cherry-pick', 'refs/heads/main'))
  await attempt(() => git.run(place, 'checkout', '--quiet', '--detach', 'refs/heads/main'))
  // The worktree is gone, so the command switches the user's checkout to the branch.
  rmSync(other.path, { recursive: true, force: true })
  const owner = { home, board: 'main', task: 't_2' as TaskId }
  await attempt(() => checkoutWork({ card: 't_2', repo: repo.path, branch: other.branch, place: owner }))
}

/** The arguments that start a pager even without a terminal. */
const OPENS_PAGER = ['grep', '--open-files-in-pager', 'two'] as const

/** Gives the data file of the trick an attribute whose value is the name of the trick. */
const attributed = ({ tree, file, name }: TrickSetup, attribute: string, folder = tree): void =>
  appendFileSync(join(folder, '.gitattributes'), `${file} ${attribute}=${name}\n`)
const configured = ({ repo }: TrickSetup, name: string, value: string): string => repo.git('config', name, value)
const inTree =
  ({ tree }: TrickSetup, ...args: string[]): Trigger =>
  () =>
    gitIn(tree, ...args)

/** Makes an object that only a remote has. `ls-files` reads the object as the ignore file. */
function missingIgnoreFile(folder: string): Trigger {
  const hash = '1234567890123456789012345678901234567890'
  writeFileSync(join(folder, 'loose'), 'x')
  gitIn(folder, 'rm', '--quiet', '--cached', '--ignore-unmatch', '.gitignore')
  rmSync(join(folder, '.gitignore'), { force: true })
  gitIn(folder, 'update-index', '--add', '--cacheinfo', `100644,${hash},.gitignore`)
  gitIn(folder, 'update-index', '--skip-worktree', '.gitignore')
  const how = { cwd: folder, env: { ...WITH_FILTER, GIT_TERMINAL_PROMPT: '0' } }
  // Asynchronous, because git asks every remote of the repository, and one of them may be a server in this process.
  return () => promisify(execFile)('git', ['ls-files', '--others', '--exclude-standard'], how)
}

/** Makes the trick's remote one that git asks for missing objects. `remote` are settings of the remote. */
function promisor(
  { repo, name }: TrickSetup,
  remote: Record<string, string>,
  settings: Record<string, string> = {},
  folder = repo.path,
): Trigger {
  const named = { 'core.repositoryformatversion': '1', 'extensions.partialClone': name }
  const ofRemote = Object.entries({ promisor: 'true', ...remote }).map(([key, value]) => [
    `remote.${name}.${key}`,
    value,
  ])
  for (const [key = '', value = ''] of [...Object.entries({ ...named, ...settings }), ...ofRemote])
    gitIn(folder, 'config', key, value)
  return missingIgnoreFile(folder)
}

function nested(setup: TrickSetup): string {
  const folder = setup.at(`nested-${setup.name}`)
  mkdirSync(folder)
  gitIn(folder, 'init', '--quiet')
  writeFileSync(join(folder, 'file'), 'x')
  gitIn(folder, 'add', '.')
  gitIn(folder, 'commit', '--quiet', '--message', 'inner')
  return folder
}

/** Makes conflicting changes of one file, so that a merge needs the driver. */
function conflicting(setup: TrickSetup): void {
  gitIn(setup.tree, 'commit', '--quiet', '--all', '--message', 'mine')
  setup.repo.write(setup.file, 'three\n')
  setup.repo.commit('theirs')
}

/** As long as `hello`. If the length differs, git does not need the filter to see that a file has changed. */
const SAME_LENGTH = 'jello\n'

const TRICKS: Record<string, Trick> = {
  'a .git file repointed to a folder with a filter': (setup) => {
    const fake = join(setup.agentFolder, 'fake')
    gitIn(setup.repo.path, 'clone', '--quiet', '--bare', setup.repo.path, fake)
    gitIn(fake, 'config', 'core.bare', 'false')
    gitIn(fake, 'config', `filter.${setup.name}.clean`, setup.script)
    writeFileSync(setup.at('.git'), `gitdir: ${fake}\n`)
    gitIn(setup.tree, 'read-tree', 'HEAD')
    attributed(setup, 'filter')
    return inTree(setup, 'status')
  },
  'a .git folder in place of the file, with a monitor': (setup) => {
    rmSync(setup.at('.git'))
    gitIn(setup.tree, 'init', '--quiet')
    gitIn(setup.tree, 'config', 'core.fsmonitor', setup.script)
    return inTree(setup, 'status')
  },
  'a clean filter of the repository': (setup) => {
    configured(setup, `filter.${setup.name}.clean`, setup.script)
    attributed(setup, 'filter')
    return inTree(setup, 'add', setup.file)
  },
  'a smudge filter of the repository': (setup) => {
    configured(setup, `filter.${setup.name}.smudge`, setup.script)
    attributed(setup, 'filter', setup.repo.path)
    setup.repo.commit('attributes')
    return () => gitIn(setup.repo.path, 'worktree', 'add', '--quiet', join(setup.agentFolder, 'third'))
  },
  'a filter process of the repository': (setup) => {
    configured(setup, `filter.${setup.name}.process`, setup.script)
    configured(setup, `filter.${setup.name}.required`, 'true')
    attributed(setup, 'filter')
    return inTree(setup, 'add', setup.file)
  },
  'a filter in a file that the repository includes': (setup) => {
    const file = join(setup.agentFolder, 'included')
    writeFileSync(file, `[filter "${setup.name}"]\n\tclean = ${setup.script}\n`)
    configured(setup, 'include.path', file)
    attributed(setup, 'filter')
    return inTree(setup, 'add', setup.file)
  },
  'a filter in a file that the repository includes for one folder': (setup) => {
    const file = join(setup.agentFolder, 'included')
    writeFileSync(file, `[filter "${setup.name}"]\n\tclean = ${setup.script}\n`)
    configured(setup, 'includeIf.gitdir:/**.path', file)
    attributed(setup, 'filter')
    return inTree(setup, 'add', setup.file)
  },
  'a filter in the configuration of the worktree': (setup) => {
    configured(setup, 'extensions.worktreeConfig', 'true')
    gitIn(setup.tree, 'config', '--worktree', `filter.${setup.name}.clean`, setup.script)
    attributed(setup, 'filter')
    return inTree(setup, 'add', setup.file)
  },
  'attributes that the repository names, with its filter': (setup) => {
    const file = join(setup.agentFolder, 'attributes')
    writeFileSync(file, `${setup.file} filter=${setup.name}\n`)
    configured(setup, 'core.attributesFile', file)
    configured(setup, `filter.${setup.name}.clean`, setup.script)
    return inTree(setup, 'add', setup.file)
  },
  'a hook in the repository': (setup) => {
    for (const name of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      const hook = join(setup.repo.path, '.git/hooks', name)
      mkdirSync(dirname(hook), { recursive: true })
      writeFileSync(hook, readFileSync(setup.script))
      chmodSync(hook, 0o755)
    }
    return inTree(setup, 'update-ref', 'refs/heads/another', 'HEAD')
  },
  'a folder of hooks that the repository names': (setup) => {
    const hook = join(setup.agentFolder, 'hooks', 'reference-transaction')
    mkdirSync(dirname(hook))
    writeFileSync(hook, readFileSync(setup.script))
    chmodSync(hook, 0o755)
    configured(setup, 'core.hooksPath', dirname(hook))
    return inTree(setup, 'update-ref', 'refs/heads/another', 'HEAD')
  },
  'a file system monitor of the repository': (setup) => {
    configured(setup, 'core.fsmonitor', setup.script)
    return inTree(setup, 'status')
  },
  'an external diff of the repository': (setup) => {
    configured(setup, 'diff.external', setup.script)
    return inTree(setup, 'diff', setup.file)
  },
  'a diff driver of the repository': (setup) => {
    configured(setup, `diff.${setup.name}.command`, setup.script)
    attributed(setup, 'diff')
    return inTree(setup, 'diff', setup.file)
  },
  'a text conversion of the repository': (setup) => {
    configured(setup, `diff.${setup.name}.textconv`, setup.script)
    attributed(setup, 'diff')
    return inTree(setup, 'diff', setup.file)
  },
  'a merge driver of the repository': (setup) => {
    configured(setup, `merge.${setup.name}.driver`, setup.script)
    attributed(setup, 'merge', setup.repo.path)
    attributed(setup, 'merge')
    conflicting(setup)
    return () => gitIn(setup.tree, 'merge', 'main')
  },
  'a signing program of the repository': (setup) => {
    writeFileSync(setup.at(setup.file), 'new\n')
    configured(setup, 'commit.gpgSign', 'true')
    configured(setup, 'gpg.program', setup.script)
    return inTree(setup, 'commit', '--all', '--message', 'signed')
  },
  'an editor of the repository': (setup) => {
    configured(setup, 'core.editor', setup.script)
    configured(setup, 'commit.verbose', 'true')
    return () => gitIn(setup.tree, '-c', 'advice.x=false', 'commit', '--all', '--edit', '--message', 'edited')
  },
  'a pager of the repository': (setup) => {
    configured(setup, 'core.pager', setup.script)
    return inTree(setup, ...OPENS_PAGER)
  },
  'a pager of the repository for one command': (setup) => {
    for (const command of ['diff', 'grep', 'log', 'show', 'status']) configured(setup, `pager.${command}`, setup.script)
    return inTree(setup, ...OPENS_PAGER)
  },
  'an upload program of a promisor remote': (setup) =>
    promisor(setup, { url: setup.agentFolder, uploadpack: setup.script }),
  'an ssh command of the repository': (setup) =>
    promisor(setup, { url: 'ssh://localhost/x' }, { 'core.sshCommand': setup.script }),
  'a proxy command of the repository': (setup) =>
    promisor(setup, { url: 'git://localhost/x' }, { 'core.gitProxy': setup.script }),
  'a remote whose address is a command': (setup) =>
    promisor(setup, { url: `ext::${setup.script}` }, { 'protocol.ext.allow': 'always' }),
  'an address that becomes a command when it is rewritten': (setup) =>
    promisor(setup, { url: `far:${setup.script}` }, { 'url.ext:.insteadOf': 'far', 'protocol.ext.allow': 'always' }),
  'a credential helper of the repository': async (setup) => {
    const server = createServer((_, answer) => answer.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return promisor(setup, { url: `http://127.0.0.1:${port}/x` }, { 'credential.helper': `!${setup.script}` })
  },
  'a nested repository with an upload program': (setup) =>
    promisor(setup, { url: setup.agentFolder, uploadpack: setup.script }, {}, nested(setup)),
  'a nested repository with a monitor': (setup) => {
    const folder = nested(setup)
    gitIn(folder, 'config', 'core.fsmonitor', setup.script)
    return () => gitIn(folder, 'status')
  },
  'a submodule repointed to a folder with a filter': (setup) => {
    const inner = makeRepository()
    gitIn(setup.tree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, setup.name)
    gitIn(setup.tree, 'commit', '--quiet', '--message', 'with a submodule')
    const fake = join(setup.agentFolder, 'fake')
    gitIn(inner.path, 'clone', '--quiet', '--bare', inner.path, fake)
    gitIn(fake, 'config', 'core.bare', 'false')
    gitIn(fake, 'config', `filter.${setup.name}.clean`, setup.script)
    writeFileSync(setup.at(setup.name, '.git'), `gitdir: ${fake}\n`)
    gitIn(setup.at(setup.name), 'read-tree', 'HEAD')
    writeFileSync(setup.at(setup.name, '.gitattributes'), `* filter=${setup.name}\n`)
    writeFileSync(setup.at(setup.name, 'readme'), SAME_LENGTH)
    return inTree(setup, 'status')
  },
  'a filter in the configuration of a submodule': (setup) => {
    const inner = makeRepository()
    gitIn(setup.tree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, setup.name)
    gitIn(setup.tree, 'commit', '--quiet', '--message', 'with a submodule')
    gitIn(setup.at(setup.name), 'config', `filter.${setup.name}.clean`, setup.script)
    gitIn(setup.at(setup.name), 'config', 'core.fsmonitor', setup.script)
    writeFileSync(setup.at(setup.name, '.gitattributes'), `* filter=${setup.name}\n`)
    writeFileSync(setup.at(setup.name, 'readme'), SAME_LENGTH)
    return inTree(setup, 'status')
  },
  'a filter of a submodule in the user’s checkout': (setup) => {
    const inner = makeRepository()
    const { repo } = setup
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, setup.name)
    repo.git('config', '--file', '.gitmodules', `submodule.${setup.name}.ignore`, 'none')
    repo.commit('with a submodule')
    repo.git('config', '--remove-section', `submodule.${setup.name}`)
    gitIn(join(repo.path, setup.name), 'config', `filter.${setup.name}.clean`, setup.script)
    repo.write(`${setup.name}/.gitattributes`, `* filter=${setup.name}\n`)
    repo.write(`${setup.name}/readme`, SAME_LENGTH)
    return () => repo.git('status', '--ignore-submodules=none')
  },
  'an update command of a submodule': (setup) => {
    const inner = makeRepository()
    setup.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, setup.name)
    setup.repo.commit('with a submodule')
    configured(setup, `submodule.${setup.name}.update`, `!${setup.script}`)
    const clone = join(setup.agentFolder, 'third')
    const allowed = ['-c', 'protocol.file.allow=always']
    return () => {
      setup.repo.git('worktree', 'add', '--quiet', clone)
      gitIn(clone, ...allowed, 'submodule', 'update', '--init')
    }
  },
}

/**
 * Tricks that work in one repository: ordinary git runs the command of each. If one of them stops git before the command
 * of another, its own command has run, and the test fails.
 */
const GROUPS: Record<string, readonly string[]> = {
  'a filter, a diff driver or a monitor of a repository': [
    'a smudge filter of the repository',
    'a diff driver of the repository',
    'a text conversion of the repository',
    'a clean filter of the repository',
    'a filter in a file that the repository includes',
    'a filter in a file that the repository includes for one folder',
    'a filter in the configuration of the worktree',
    'attributes that the repository names, with its filter',
    'a file system monitor of the repository',
    'a filter process of the repository',
  ],
  'a merge driver, a signing program, an editor or a pager of a repository': [
    'a merge driver of the repository',
    'a signing program of the repository',
    'an editor of the repository',
    'a pager of the repository',
  ],
  'a hook, an external diff or a nested repository': [
    'a nested repository with an upload program',
    'a nested repository with a monitor',
    'an external diff of the repository',
    'a pager of the repository for one command',
    'a folder of hooks that the repository names',
  ],
  'a program of a remote, or a hook': [
    'an upload program of a promisor remote',
    'an ssh command of the repository',
    'a proxy command of the repository',
    'a remote whose address is a command',
    'an address that becomes a command when it is rewritten',
    'a credential helper of the repository',
    'a hook in the repository',
  ],
  'a command of a submodule': [
    'a submodule repointed to a folder with a filter',
    'a filter in the configuration of a submodule',
    'a filter of a submodule in the user’s checkout',
    'an update command of a submodule',
  ],
}
const grouped = new Set(Object.values(GROUPS).flat())
const alone = (names: readonly string[]): [string, readonly string[]][] => names.map((name) => [name, [name]])
const planned: readonly [string, readonly string[]][] = [
  ...Object.entries(GROUPS),
  ...alone(Object.keys(TRICKS).filter((name) => process.env['MUSTER_TEST_GIT'] === 'full' || !grouped.has(name))),
]

/** Plants the tricks one after the other in one stage. */
async function plantAll(names: readonly string[]): Promise<{ setup: TrickSetup; trigger: Trigger }[]> {
  await resetStage()
  const made: { setup: TrickSetup; trigger: Trigger }[] = []
  for (const [at, name] of names.entries()) {
    const plant = TRICKS[name]
    if (plant === undefined) throw new Error(`there is no trick "${name}"`)
    const setup = setupOf(at)
    made.push({ setup, trigger: await plant(setup) })
  }
  for (const { setup } of made) rmSync(setup.canary, { force: true })
  copy(stage, planted)
  return made
}

describe('commands planted by an agent', () => {
  test.each(planned)('the board’s git does not run %s', async (_, names) => {
    const tricks = await plantAll(names)
    const ran = (): readonly string[] => names.filter((_name, at) => existsSync(tricks[at]?.setup.canary ?? ''))
    for (const [at, { trigger }] of tricks.entries()) {
      try {
        await trigger()
      } catch {
        // Git may fail, because the planted command has run nevertheless.
      }
      expect(ran()).toContain(names[at])
      restorePlanted()
    }
    expect(ran()).toEqual([])
    await useEverything({ repo: repositoryAt(join(stage, 'repo')), tree, home })
    expect(ran()).toEqual([])
  })
})

describe('a filter of the user’s own configuration', () => {
  const withFilter = (name: string): string => {
    const user = testFolder()
    writeFileSync(
      join(user, '.gitconfig'),
      `[filter "${name}"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n`,
    )
    return user
  }

  test('a filter of the user runs for worktrees, status and added files', async () => {
    const repo = makeRepository()
    const user = withFilter('x')
    const home = testFolder()
    repo.write('.gitattributes', '*.txt filter=x\n')
    repo.write('big.txt', 'CONTENT\n')
    repo.commit('as it is stored')
    const git = gitWith({ home, env: { ...WITH_FILTER, HOME: user }, signal })
    const request = { repo: repo.path, path: join(home, 't_1'), branch: 'muster/t_1', ignored }
    await makeWorktree(git, request, signal)
    expect(readFileSync(join(request.path, 'big.txt'), 'utf8')).toBe('content\n')
    const place = await placeOfWorktree(git, request)
    if (place === null) throw new Error('there is no worktree')
    expect(await git.run(place, 'status', '--porcelain')).toBe('')
    writeFileSync(join(request.path, 'new.txt'), 'more\n')
    await git.run(place, 'add', '--all')
    expect(await git.run(place, 'show', ':new.txt')).toBe('MORE\n')
  })

  test('a filter of the repository does not replace the user’s filter of that name', async () => {
    const setup = await makeSetup()
    configured(setup, `filter.${setup.name}.clean`, setup.script)
    attributed(setup, 'filter')
    const git = gitWith({ home: setup.home, env: { ...WITH_FILTER, HOME: withFilter(setup.name) }, signal })
    const place = await placeOfWorktree(git, { repo: setup.repo.path, path: setup.tree })
    if (place === null) throw new Error('there is no worktree')
    await git.run(place, 'add', '--all')
    expect(await git.run(place, 'show', `:${setup.file}`)).toBe('TWO\n')
    expect(existsSync(setup.canary)).toBe(false)
  })
})

test.each([
  ['', (command: string) => `[core]\n\tsshCommand = ${command}\n`],
  [
    ' in an included file',
    (command: string, { repo, agentFolder }: TrickSetup) => {
      writeFileSync(join(agentFolder, 'included'), `[core]\n\tsshCommand = ${command}\n`)
      return `[includeIf "gitdir:${repo.path}/"]\n\tpath = ${join(agentFolder, 'included')}\n`
    },
  ],
])('the user’s ssh command%s runs instead of the repository’s', async (_, configOf) => {
  const setup = await makeSetup()
  promisor(setup, { url: 'ssh://localhost/x' }, { 'core.sshCommand': setup.script })
  const [user, ran] = [testFolder(), join(setup.agentFolder, 'ran')]
  writeFileSync(join(setup.agentFolder, 'ssh'), `#!/bin/sh\necho "$@" >${ran}\nexit 1\n`, { mode: 0o755 })
  writeFileSync(join(user, '.gitconfig'), configOf(join(setup.agentFolder, 'ssh -v'), setup))
  const git = gitWith({ home: setup.home, env: { ...WITH_FILTER, HOME: user }, signal })
  const place = await repositoryPlace(git, setup.repo.path)
  await git.ask(place, 'ls-files', '--others', '--exclude-standard')
  expect(readFileSync(ran, 'utf8')).toMatch(/^-v .*localhost/)
  expect(existsSync(setup.canary)).toBe(false)
})

test('a program called git in the workspace does not run, even if it is on the PATH', async () => {
  const setup = await makeSetup()
  writeFileSync(setup.at('git'), readFileSync(setup.script))
  chmodSync(setup.at('git'), 0o755)
  const git = gitWith({ home: setup.home, env: { PATH: `.:${process.env['PATH']}` }, signal })
  const place = await placeOfWorktree(git, { repo: setup.repo.path, path: setup.tree })
  if (place === null) throw new Error('there is no worktree')
  expect(await git.run(place, 'status', '--porcelain')).toContain('?? git')
  expect(existsSync(setup.canary)).toBe(false)
})

test('a pager in the environment does not run', async () => {
  const setup = await makeSetup()
  const pager = { GIT_PAGER: setup.script, PAGER: setup.script }
  const git = gitWith({ home: setup.home, env: { ...WITH_FILTER, ...pager }, signal })
  const place = await placeOfWorktree(git, { repo: setup.repo.path, path: setup.tree })
  if (place === null) throw new Error('there is no worktree')
  expect(await git.run(place, ...OPENS_PAGER)).toBe(
    FILES.map((file) => `${file}:two\n`)
      .sort()
      .join(''),
  )
  expect(existsSync(setup.canary)).toBe(false)
})

test('safe settings of the repository still apply', async () => {
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
