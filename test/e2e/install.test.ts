/** Tests `npm start`, which installs the dependencies. A test program replaces npm, so nothing is downloaded. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { childEnvironment } from '../helpers/processes.ts'
import { isGone } from '../helpers/run-cards.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The program that replaces npm. If the file `finish` exists, it makes node_modules as npm does. Otherwise it starts a
 * child process, writes both pids and waits. Both end soon after their folder is deleted, and in any case after two
 * minutes, so that they do not outlive a test that was cut off.
 */
const NPM = `
const { spawn } = require('node:child_process')
const fs = require('node:fs')
if (fs.existsSync('finish')) {
  fs.mkdirSync('node_modules', { recursive: true })
  fs.writeFileSync('node_modules/.package-lock.json', '{"packages":{}}')
  fs.appendFileSync('installs', '.')
} else {
  const wait = "setInterval(() => require('node:fs').existsSync('package.json') || process.exit(), 500);" +
    'setTimeout(() => process.exit(), 120_000)'
  const child = spawn(process.execPath, ['-e', wait], { stdio: 'ignore' })
  eval(wait)
  fs.writeFileSync('installing.tmp', process.pid + ' ' + child.pid)
  fs.renameSync('installing.tmp', 'installing')
}
`

/** The script that replaces the build. It fails if two builds run at once. */
const BUNDLE = `
import fs from 'node:fs'
export async function bundle() {
  fs.mkdirSync('dist', { recursive: true })
  fs.writeFileSync('dist/building', '', { flag: 'wx' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  fs.rmSync('dist/building')
  fs.appendFileSync('builds', '.')
}
`

/** Makes a clone that contains only the scripts. Its lock file names no packages. */
function openClone() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'muster-clone-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(path.join(root, 'scripts'), path.join(folder, 'scripts'), { recursive: true })
  const files = {
    'package.json': '{ "type": "module", "engines": { "node": ">=20.19" } }',
    'package-lock.json': '{ "packages": {} }',
    'install.mjs':
      "import { ensureInstalled } from './scripts/ensure.mjs'\nimport { runCommand } from './scripts/setup.mjs'\nawait runCommand(ensureInstalled)\n",
    'build.mjs':
      "import { ensureBuilt } from './scripts/ensure.mjs'\nimport { runCommand } from './scripts/setup.mjs'\nawait runCommand(ensureBuilt)\n",
    'scripts/bundle.mjs': BUNDLE,
    'nameless.cjs': "require('node:os').userInfo = () => { throw new Error('no such user') }",
    'npm/npm-cli.js': NPM,
    'npm/package.json': '{ "type": "commonjs" }',
  }
  mkdirSync(path.join(folder, 'npm'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const file = (name: string): string => path.join(folder, name)
  return { file, start: (...args: readonly string[]) => startScript(folder, args) }
}

function startScript(folder: string, args: readonly string[]) {
  const line = args.length === 0 ? ['install.mjs'] : args
  const env = { ...childEnvironment(), npm_execpath: path.join(folder, 'npm/npm-cli.js') }
  const child = spawn(process.execPath, line, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { child, ended }
}

/** Returns the pids of the replacement for npm and of its child, when both run. */
async function installers(file: (name: string) => string): Promise<number[]> {
  await expect.poll(() => existsSync(file('installing'))).toBe(true)
  return readFileSync(file('installing'), 'utf8').split(' ').map(Number)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  it(`${signal} during an install ends npm and its children, and the next start installs again`, async () => {
    const { file, start } = openClone()
    const { child, ended } = start()
    const pids = await installers(file)
    child.kill(signal)
    expect(await ended).toEqual({
      code: 128 + os.constants.signals[signal],
      output: expect.stringContaining('Interrupted. Run this again to continue.') as string,
    })
    expect(pids.every(isGone)).toBe(true)
    writeFileSync(file('finish'), '')
    expect(await start().ended).toMatchObject({ code: 0 })
    expect(await start().ended).toMatchObject({ code: 0, output: expect.stringContaining('up to date') as string })
    expect(readFileSync(file('installs'), 'utf8')).toBe('.')
  })

it('npm processes that a killed start left behind are ended before the next install', async () => {
  const { file, start } = openClone()
  const { child, ended } = start()
  const pids = await installers(file)
  child.kill('SIGKILL')
  await ended
  writeFileSync(file('finish'), '')
  expect(await start().ended).toMatchObject({ code: 0 })
  expect(pids.every(isGone)).toBe(true)
})

it('two starts in one clone install only once', async () => {
  const { file, start } = openClone()
  writeFileSync(file('finish'), '')
  const both = await Promise.all([start().ended, start().ended])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(readFileSync(file('installs'), 'utf8')).toBe('.')
})

it('two starts in one clone build only once', async () => {
  const { file, start } = openClone()
  const both = await Promise.all([start('build.mjs').ended, start('build.mjs').ended])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(readFileSync(file('builds'), 'utf8')).toBe('.')
})

it('an install works for a user that has no name on the system', async () => {
  const { file, start } = openClone()
  writeFileSync(file('finish'), '')
  expect(await start('--require', './nameless.cjs', 'install.mjs').ended).toMatchObject({ code: 0 })
  expect(readFileSync(file('installs'), 'utf8')).toBe('.')
})

it('packages are installed again if the record of npm is incomplete', async () => {
  const { file, start } = openClone()
  writeFileSync(file('package-lock.json'), '{ "packages": { "node_modules/a": { "version": "1.0.0" } } }')
  mkdirSync(file('node_modules'))
  writeFileSync(file('node_modules/.package-lock.json'), '{ "packages": { "node_mod')
  writeFileSync(file('finish'), '')
  expect(await start().ended).toMatchObject({ code: 0 })
  expect(readFileSync(file('installs'), 'utf8')).toBe('.')
})
