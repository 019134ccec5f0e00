// Tests the package as npm installs it, in an empty folder. Its dependencies come from our node_modules, so nothing is
// downloaded.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { childEnvironment } from '../helpers/processes.ts'
import { testFolder } from '../helpers/stores.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folders of a package's dependencies, and of their dependencies. */
function dependencyFolders(folder: string): string[] {
  const own = Object.keys(readManifest(folder).dependencies ?? {}).map((name) => join(root, 'node_modules', name))
  return [...new Set([...own, ...own.flatMap(dependencyFolders)])]
}

test('`npx muster-board` works in an empty folder', () => {
  const folder = testFolder()
  const [packed, project, home] = ['packed', 'project', 'home'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const made of [packed, project]) mkdirSync(made)
  const env = {
    ...childEnvironment(),
    HOME: home,
    MUSTER_HOME: join(home, '.muster'),
    npm_config_cache: join(folder, 'cache'),
  }
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      env,
      encoding: 'utf8',
    })
  npm(packed, 'pack', root, ...dependencyFolders(root))
  writeFileSync(join(project, 'package.json'), '{}')
  npm(project, 'install', ...readdirSync(packed).map((name) => join(packed, name)))

  const muster = (...args: string[]): string =>
    execFileSync('npx', ['--offline', '--no', '--', 'muster-board', ...args], { cwd: project, env, encoding: 'utf8' })
  expect(muster('--version').trim()).toBe(readManifest(root).version)
  expect(muster('create', 'Say hello', '--assignee', 'shell', '--body', 'echo hello')).toContain('Created t_')
  expect(JSON.parse(muster('dispatch', '--wait', '--json'))).toMatchObject({ settled: [{ outcome: 'completed' }] })
})
