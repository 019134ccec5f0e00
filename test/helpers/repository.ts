/** A git repository of a test's own, in a temporary folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface TestRepository {
  readonly path: string
  git(...args: string[]): string
  write(file: string, content: string): void
  commit(message: string): string
}

/** Whatever the machine's own configuration says. */
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

/** With one commit, of `readme` and `.gitignore`. */
export function makeRepository(): TestRepository {
  const made = emptyRepository()
  made.write('readme', 'hello\n')
  made.write('.gitignore', 'deps/\n.env\n')
  made.commit('first')
  return made
}

export function emptyRepository(): TestRepository {
  const path = join(testFolder(), 'repo')
  mkdirSync(path)
  const git = (...args: string[]): string => gitIn(path, ...args)
  git('init', '--quiet', '--initial-branch', 'main')
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
