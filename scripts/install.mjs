// Runs npm for this package. Ctrl-C ends npm and its child processes before this process ends. An npm that is left
// behind would write to node_modules while the next one empties it. If this process is killed, the next command ends
// its npm, whose process group is in the lock of the folder.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endGroup, withFolderLock } from './folder-lock.mjs'
import { readJson, root, SetupError } from './setup.mjs'

const beatMs = 500

/**
 * Runs no install scripts, because no dependency needs its own; our own build follows in `ensureBuilt`. Calls
 * `isInstalled` under the lock, because another command may have just installed the dependencies.
 */
export async function installDependencies(/** @type {{ isInstalled: () => boolean }} */ { isInstalled }) {
  await withFolderLock(async ({ nameGroup }) => {
    if (isInstalled()) return
    const { code, output } = await runNpm(['ci', '--ignore-scripts', '--no-progress', '--no-audit', '--no-fund'], {
      onStart: nameGroup,
      onBeat: showProgress,
    })
    clearProgress()
    if (code !== 0) throw failure(output)
  })
}

function failure(/** @type {string} */ output) {
  const offline = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)
  return new SetupError(
    offline
      ? `npm cannot reach its registry, so the dependencies are not installed. Check the network and \`npm config get registry\`, then run this again.\n\n${output}`
      : `npm could not install the dependencies:\n\n${output}`,
  )
}

/** @typedef {{ onStart?: (group: number) => void, onBeat?: (ms: number) => void }} Watch */

/**
 * Uses the npm that started this script, if there is one. Its settings for this script are not passed to the new npm.
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function runNpm(/** @type {string[]} */ args, /** @type {Watch} */ { onStart, onBeat } = {}) {
  const npmCli = process.env['npm_execpath']
  const viaNode = npmCli?.endsWith('npm-cli.js')
  const child = spawn(viaNode ? process.execPath : 'npm', viaNode && npmCli ? [npmCli, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in its own process group, so that the whole group can be ended even if only this process gets a signal.
    detached: true,
  })
  const group = child.pid ?? 0
  const started = performance.now()
  const beat = setInterval(() => onBeat?.(performance.now() - started), beatMs)
  const stop = stopOnSignal(group)
  try {
    return await new Promise((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => (output += chunk))
      child.stderr.on('data', (chunk) => (output += chunk))
      child.on('error', () =>
        reject(new SetupError('npm was not found. It comes with Node.js: install it, then run this again.')),
      )
      child.on('spawn', () => onStart?.(group))
      child.on('close', (code) => resolve({ code, output: output.trim() }))
    }).finally(() => clearInterval(beat))
  } finally {
    await stop()
  }
}

/** Ends the group when this process gets a signal. The returned function waits for that, and then throws an error. */
function stopOnSignal(/** @type {number} */ group) {
  /** @type {NodeJS.Signals | null} */
  let received = null
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
    received ??= signal
    void endGroup(group)
  }
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, onSignal)
  return async () => {
    for (const signal of signals) process.off(signal, onSignal)
    if (received === null) return
    await endGroup(group)
    clearProgress()
    throw new SetupError('Interrupted. Run this again to continue.', { exitCode: 128 + os.constants.signals[received] })
  }
}

/** Shows the number of installed packages and the seconds on the line of the step, if there is a terminal. */
function showProgress(/** @type {number} */ ms) {
  if (!process.stdout.isTTY) return
  const { have, want } = countPackages()
  process.stdout.write(`\r${'install'.padEnd(10)}${have} of ${want} packages, ${Math.floor(ms / 1000)} s\u001b[K`)
}

function clearProgress() {
  if (process.stdout.isTTY) process.stdout.write(`\r${'install'.padEnd(10)}\u001b[K`)
}

function countPackages() {
  const lock = readJson(path.join(root, 'package-lock.json'))
  const wanted = Object.entries(lock.packages).filter(([name, { optional }]) => name !== '' && !optional)
  const have = wanted.filter(([name]) => isFolder(path.join(root, name)))
  return { have: have.length, want: wanted.length }
}

function isFolder(/** @type {string} */ folder) {
  try {
    return readdirSync(folder).length > 0
  } catch {
    return false
  }
}
