// Runs npm for this package. Ctrl-C ends npm with everything it started before this process ends: an installer that is
// left behind would write to node_modules while the next one empties it. An installer whose parent was killed is ended
// by the next command, which finds its process group in the lock of the folder.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endGroup, withFolderLock } from './folder-lock.mjs'
import { readJson, root, SetupError } from './setup.mjs'

const beatMs = 500

/**
 * No dependency needs its install script, so none is run; our own build follows in `ensureBuilt`. An install of the same
 * folder may just have finished: `isInstalled` is asked under the lock.
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
 * Started by npm, we use that same npm; its settings for the script it runs must not reach the new one.
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function runNpm(/** @type {string[]} */ args, /** @type {Watch} */ { onStart, onBeat } = {}) {
  const npmCli = process.env['npm_execpath']
  const viaNode = npmCli?.endsWith('npm-cli.js')
  const child = spawn(viaNode ? process.execPath : 'npm', viaNode && npmCli ? [npmCli, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, so that all of it can be ended, also where a signal reaches only this process.
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

/** Ends the group when this process is asked to stop. The returned function waits for that, and then ends the process. */
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

/** On a terminal, the packages that have arrived and the seconds, on the line of the step. */
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
