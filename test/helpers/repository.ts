/** Makes a git repository for one test, in a temporary folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readTree, writeTree } from './file-tree.ts'
import type { FileTree } from './file-tree.ts'

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
export const makeRepository = (path?: string): TestRepository => copyOf('first', commitFirst, path)

function commitFirst(made: TestRepository): void {
  made.write('readme', 'hello\n')
  made.write('.gitignore', 'deps/\n.env\n')
  made.commit('first')
}

export const emptyRepository = (): TestRepository => copyOf('empty', () => {})

/**
 * The repositories that are copied for each test. Git needs several processes to create a repository, and a copy needs
 * none.
 */
const templates = new Map<string, FileTree>()

function copyOf(name: string, fill: (made: TestRepository) => void, path = join(testFolder(), 'repo')): TestRepository {
  const template = templates.get(name) ?? makeTemplate(fill)
  templates.set(name, template)
  writeTree(path, template)
  return repositoryAt(path)
}

function makeTemplate(fill: (made: TestRepository) => void): FileTree {
  const folder = mkdtempSync(join(tmpdir(), 'muster-repo-'))
  try {
    // With this template, git leaves out its sample hooks, which would be most of the files.
    gitIn(folder, 'init', '--quiet', '--initial-branch', 'main', '--template=')
    for (const name of ['hooks', 'info']) mkdirSync(join(folder, '.git', name))
    fill(repositoryAt(folder))
    return readTree(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
