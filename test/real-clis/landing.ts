/**
 * Proves that work of each CLI can land. The CLI works on a worktree card with the default permissions and commits nothing. The
 * board commits the work, `muster diff` shows it, and `muster land` puts it on the branch that is checked out.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Testbed } from './testbed.ts'

const CONTENT = 'written by the agent'
const USER = 'Ada <ada@example.org>'

export async function proveLanding(testbed: Testbed): Promise<readonly string[]> {
  const repo = join(testbed.home, '..', 'repository')
  const git = makeRepository(repo, testbed.userHome)
  const base = git('rev-parse', 'main')
  testbed.permit('edit')
  try {
    const id = await testbed.create('--workspace', `worktree:${repo}`)
    const file = join(testbed.home, 'boards', 'default', 'workspaces', id, 'hello.txt')
    testbed.play(
      () => testbed.setup.write(file, CONTENT),
      () => ({ tool: 'kanban_complete', input: { summary: 'writes a greeting' } }),
      () => ({ text: 'done' }),
    )
    await testbed.muster('dispatch', '--wait')
    const finished = await testbed.card(id)
    if (finished.status !== 'done') return [`the card is ${finished.status}`]
    const tip = git('rev-parse', `muster/${id}`)
    const changes = finished.runs.at(-1)?.changes
    const shown = await testbed.muster('diff', id)
    const before = git('rev-parse', 'main')
    await testbed.muster('land', id)
    const { landed } = await testbed.card(id)
    if (landed === null) return ['the card did not land']
    const main = git('rev-parse', 'main')
    return faultsOf([
      [changes?.commit, tip, 'the commit that the run records'],
      [changes?.files, 1, 'the number of files that the run records'],
      [git('log', '--format=%an <%ae>', `${base}..${tip}`), USER, 'the authors on the branch of the card'],
      [shown.includes(`+${CONTENT}`), true, 'whether the diff shows the new line'],
      [before, base, 'main before the landing'],
      [landed.commit, main, 'the landed commit of the card'],
      [git('log', '--format=%an <%ae>|%s', `${base}..main`), `${USER}|Write out.txt`, 'the new commits of main'],
      [git('show', 'main:hello.txt'), CONTENT, 'the file on main'],
      [git('diff', '--name-only', base, 'main'), 'hello.txt', 'the changed files of main'],
      [contentOf(join(repo, 'hello.txt')), CONTENT, 'the file in the checkout'],
      [git('status', '--porcelain'), '', 'the changes of the checkout'],
    ])
  } finally {
    testbed.permit('full')
  }
}

/** Runs git as the user, with the user's own configuration. */
function makeRepository(path: string, userHome: string): (...args: readonly string[]) => string {
  const env = { PATH: process.env['PATH'], HOME: userHome }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', path, ...args], { encoding: 'utf8', env }).trim()
  mkdirSync(path)
  git('init', '--quiet', '--initial-branch', 'main')
  writeFileSync(join(path, 'README.md'), '# Project\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'begin')
  return git
}

type Claim = readonly [found: unknown, expected: unknown, name: string]

const faultsOf = (claims: readonly Claim[]): readonly string[] =>
  claims.flatMap(([found, expected, name]) =>
    found === expected ? [] : [`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`],
  )

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
