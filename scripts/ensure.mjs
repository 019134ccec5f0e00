// Installs the dependencies and builds the program before a command that needs them. Both are skipped if a stamp file
// shows that their inputs have not changed. Uses plain Node only, because it runs before anything is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { withFolderLock } from './folder-lock.mjs'
import { installDependencies } from './install.mjs'
import { readJson, readPackage, root, SetupError } from './setup.mjs'

const installStamp = path.join(root, 'node_modules/.muster-installed')
const buildStamp = path.join(root, 'dist/.built')
const testBuildStamp = path.join(root, 'dist-test/.built')
const buildInputs = [
  'src',
  'package.json',
  'package-lock.json',
  'scripts/bundle.mjs',
  'scripts/bundle-client.mjs',
  'scripts/manifest.ts',
  'scripts/operations-index.ts',
  'scripts/client-api.ts',
  'scripts/schema-types.ts',
  'scripts/toolset.ts',
  'scripts/code-cache.ts',
]
const webStamp = path.join(root, 'dist/web/.built')
/** The dashboard uses core, and the types of other folders. So only a change in core changes the result. */
const webBuildInputs = ['web', 'src/core', 'src/client', 'package-lock.json', 'scripts/bundle-web.mjs']
const testBuildInputs = [...buildInputs, 'test/helpers/altered-system.ts']

export async function ensureInstalled() {
  const wanted = dependencyHash()
  if (readStamp(installStamp) === wanted) return say('install', 'up to date')
  if (isInstalledByNpm()) {
    writeFileSync(installStamp, wanted)
    return say('install', 'up to date')
  }
  await timed('install', () => installDependencies({ isInstalled: isInstalledByNpm }))
  writeFileSync(installStamp, wanted)
}

export const ensureBuilt = ({ always = false } = {}) =>
  ensureStamped({
    name: 'build',
    stamp: buildStamp,
    inputs: buildInputs,
    always,
    build: async () => (await import('./bundle.mjs')).bundle(),
  })

/** Writes dist/web, the dashboard. */
export const ensureWebBuilt = ({ always = false } = {}) =>
  ensureStamped({
    name: 'dashboard',
    stamp: webStamp,
    inputs: webBuildInputs,
    always,
    build: async () => (await import('./bundle-web.mjs')).bundleWeb(),
  })

/** Writes dist-test/, the build for tests that alter the system. */
export const ensureTestBuilt = ({ always = false } = {}) =>
  ensureStamped({
    name: 'for tests',
    stamp: testBuildStamp,
    inputs: testBuildInputs,
    always,
    build: async () => (await import('./bundle.mjs')).bundleForTests(),
  })

/** @typedef {{ name: string, stamp: string, inputs: string[], always: boolean, build: () => Promise<void> }} Build */

/**
 * Takes a lock, because two builds at once would remove each other's files. Under the lock the stamp is read again,
 * because another command may have just built the program.
 */
async function ensureStamped(/** @type {Build} */ { name, stamp, inputs, always, build }) {
  const wanted = sourceHash(inputs)
  const isBuilt = () => !always && readStamp(stamp) === wanted
  if (isBuilt()) return say(name, 'up to date')
  await timed(name, () =>
    withFolderLock(async () => {
      if (isBuilt()) return
      await build().catch(explainBuildFailure)
      writeFileSync(stamp, wanted)
    }),
  )
}

/** False without the development dependencies, for example after `npm install --omit=dev`. */
export function canBuild() {
  try {
    createRequire(import.meta.url).resolve('esbuild')
    return true
  } catch {
    return false
  }
}

/** The bundler has already printed its errors, so its stack is not shown. */
function explainBuildFailure(/** @type {Error & { errors?: unknown[] }} */ error) {
  throw error.errors ? new SetupError('The build failed: see the errors above.') : error
}

/**
 * npm writes its own record after an install. If the record matches the lock file, `npm install` or `npm ci` has already
 * run, and nothing is left to do.
 */
function isInstalledByNpm() {
  const record = path.join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readJson(path.join(root, 'package-lock.json')).packages
  const found = readRecord(record)
  return Object.entries(wanted).every(
    ([name, entry]) => name === '' || entry.optional || found[name]?.version === entry.version,
  )
}

/** The record is empty if npm was killed while it wrote the file. */
function readRecord(/** @type {string} */ record) {
  try {
    return readJson(record).packages
  } catch {
    return {}
  }
}

function dependencyHash() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = readPackage()
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(JSON.stringify({ dependencies, devDependencies, optionalDependencies, overrides }))
    .digest('hex')
}

function sourceHash(/** @type {string[]} */ inputs) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((input) => listFiles(path.join(root, input)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @returns {string[]} */
function listFiles(/** @type {string} */ file) {
  if (!existsSync(file)) return []
  if (!statSync(file).isDirectory()) return [file]
  return readdirSync(file)
    .toSorted()
    .flatMap((name) => listFiles(path.join(file, name)))
}

function readStamp(/** @type {string} */ file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Prints the name before the work and the seconds after it, so that a long wait shows which step runs. */
async function timed(/** @type {string} */ name, /** @type {() => Promise<void>} */ work) {
  const started = performance.now()
  process.stdout.write(name.padEnd(10))
  await work()
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

function say(/** @type {string} */ name, /** @type {string} */ what) {
  process.stdout.write(`${name.padEnd(10)}${what}\n`)
}
