/** Makes a git repository for one test, in a temporary folder. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface TestRepository {
  readonly path: string
  git(...args: string[]): string
  write(file: string, content: string): void
  commit(message: string): string
}

/** An environment in which git ignores the configuration of this machine. */
const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'tester',
  GIT_AUTHOR_EMAIL: 'tester@example.org',
  GIT_COMMITTER_NAME: 'tester',
  GIT_COMMITTER_EMAIL: 'tester@example.org',
}

export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

export function testFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-repo-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a repository with one commit, which contains `readme` and `.gitignore`. */
export const makeRepository = (): TestRepository =>
  copyOf('first', (made) => {
    made.write('readme', 'hello\n')
    made.write('.gitignore', 'deps/\n.env\n')
    made.commit('first')
  })

export const emptyRepository = (): TestRepository => copyOf('empty', () => {})

interface Entry {
  readonly path: string
  /** The content of a file. This is null for a folder. */
  readonly bytes: Buffer | null
  readonly mode: number
}

/**
 * The repositories that are copied for each test. Git needs several processes to create a repository, and a copy needs
 * none.
 */
const templates = new Map<string, readonly Entry[]>()

function copyOf(name: string, fill: (made: TestRepository) => void): TestRepository {
  const template = templates.get(name) ?? makeTemplate(fill)
  templates.set(name, template)
  const repository = repositoryAt(join(testFolder(), 'repo'))
  mkdirSync(repository.path)
  for (const { path, bytes, mode } of template)
    if (bytes === null) mkdirSync(join(repository.path, path), { mode })
    else writeFileSync(join(repository.path, path), bytes, { mode })
  return repository
}

function makeTemplate(fill: (made: TestRepository) => void): readonly Entry[] {
  const folder = mkdtempSync(join(tmpdir(), 'muster-repo-'))
  try {
    // With this template, git leaves out its sample hooks, which would be most of the files.
    gitIn(folder, 'init', '--quiet', '--initial-branch', 'main', '--template=')
    for (const name of ['hooks', 'info']) mkdirSync(join(folder, '.git', name))
    fill(repositoryAt(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((path) => readEntry(folder, path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readEntry(folder: string, path: string): Entry {
  const found = statSync(join(folder, path))
  return { path, mode: found.mode & 0o777, bytes: found.isDirectory() ? null : readFileSync(join(folder, path)) }
}

export function repositoryAt(path: string): TestRepository {
  const git = (...args: string[]): string => gitIn(path, ...args)
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  const commit = (message: string): string => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
    return git('rev-parse', 'HEAD')
  }
  return { path, git, write, commit }
}
