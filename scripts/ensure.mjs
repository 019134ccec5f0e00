// What every command needs before it can run: dependencies installed, program built. Both are skipped when a stamp
// says that nothing they depend on has changed. Plain Node only: this runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')

const installStamp = path.join(root, 'node_modules/.muster-installed')
const buildStamp = path.join(root, 'dist/.built')
const testBuildStamp = path.join(root, 'dist-test/.built')
const buildInputs = [
  'src',
  'package.json',
  'package-lock.json',
  'scripts/bundle.mjs',
  'scripts/manifest.ts',
  'scripts/operations-index.ts',
  'scripts/toolset.ts',
  'scripts/code-cache.ts',
]
const testBuildInputs = [...buildInputs, 'test/helpers/altered-system.ts']

/** A failure whose message says everything: shown without a stack. */
export class SetupError extends Error {}

/** Runs a command's body; a `SetupError` ends it with its sentence and exit code 1. */
export async function runCommand(/** @type {() => Promise<void>} */ body) {
  try {
    requireNode()
    await body()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}

export async function ensureInstalled() {
  const wanted = dependencyHash()
  if (readStamp(installStamp) === wanted) return say('install', 'up to date')
  if (isInstalledByNpm()) {
    writeFileSync(installStamp, wanted)
    return say('install', 'up to date')
  }
  await timed('install', installDependencies)
  writeFileSync(installStamp, wanted)
}

export async function ensureBuilt({ always = false } = {}) {
  const wanted = sourceHash(buildInputs)
  if (!always && readStamp(buildStamp) === wanted) return say('build', 'up to date')
  await timed('build', async () => {
    const { bundle } = await import('./bundle.mjs')
    await bundle().catch(explainBuildFailure)
  })
  writeFileSync(buildStamp, wanted)
}

/** The build that tests run when they alter the system: dist-test/. */
export async function ensureTestBuilt({ always = false } = {}) {
  const wanted = sourceHash(testBuildInputs)
  if (!always && readStamp(testBuildStamp) === wanted) return say('for tests', 'up to date')
  await timed('for tests', async () => {
    const { bundleForTests } = await import('./bundle.mjs')
    await bundleForTests().catch(explainBuildFailure)
  })
  writeFileSync(testBuildStamp, wanted)
}

/** False after `npm install --omit=dev` and while only a lock file is being made: there is nothing to build with. */
export function canBuild() {
  try {
    createRequire(import.meta.url).resolve('esbuild')
    return true
  } catch {
    return false
  }
}

/** The engines field is the one place where the version is written. */
function requireNode() {
  const [major = 0, minor = 0] = /** @type {string} */ (readPackage().engines.node)
    .replace('>=', '')
    .split('.')
    .map(Number)
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number)
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return
  throw new SetupError(`Muster needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`)
}

/** No dependency needs its install script, so none is run; our own build follows in `ensureBuilt`. */
async function installDependencies() {
  const { code, output } = await runNpm(['ci', '--ignore-scripts', '--no-progress'])
  if (code === 0) return
  const offline = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)
  throw new SetupError(
    offline
      ? `The npm registry cannot be reached, so the dependencies are not installed. Check the network and \`npm config get registry\`, then run this again.\n\n${output}`
      : `npm could not install the dependencies:\n\n${output}`,
  )
}

/** The bundler has shown its errors where they are; a stack of its insides would add nothing. */
function explainBuildFailure(/** @type {Error & { errors?: unknown[] }} */ error) {
  throw error.errors ? new SetupError('The build failed: see the errors above.') : error
}

/** @returns {Promise<{ code: number | null, output: string }>} */
export function runNpm(/** @type {string[]} */ args) {
  // Started by npm, we use that same npm; its settings for the script it runs must not reach the new one.
  const npmCli = process.env['npm_execpath']
  const viaNode = npmCli?.endsWith('npm-cli.js')
  const command = viaNode ? process.execPath : 'npm'
  const child = spawn(command, viaNode && npmCli ? [npmCli, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !viaNode && process.platform === 'win32',
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', () =>
      reject(new SetupError('npm was not found. It comes with Node.js: install it, then run this again.')),
    )
    child.on('close', (code) => resolve({ code, output: output.trim() }))
  })
}

/**
 * npm writes its own record when an install has finished. When that agrees with the lock file, somebody ran
 * `npm install` or `npm ci` by hand and there is nothing left to do.
 */
function isInstalledByNpm() {
  const record = path.join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readJson(path.join(root, 'package-lock.json')).packages
  const found = readJson(record).packages
  return Object.entries(wanted).every(
    ([name, entry]) => name === '' || entry.optional || found[name]?.version === entry.version,
  )
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

function readPackage() {
  return readJson(path.join(root, 'package.json'))
}

function readJson(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The name appears at once and the seconds when it is over, so a long wait shows what it waits for. */
async function timed(/** @type {string} */ name, /** @type {() => Promise<void>} */ work) {
  const started = performance.now()
  process.stdout.write(name.padEnd(10))
  await work()
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

function say(/** @type {string} */ name, /** @type {string} */ what) {
  process.stdout.write(`${name.padEnd(10)}${what}\n`)
}
