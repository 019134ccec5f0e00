// Lets only one command at a time install or build in this folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './setup.mjs'

const beatMs = 500
/**
 * A live owner touches its lock every `beatMs`. A lock that is older than this is abandoned, even if its pid exists:
 * another process may have the pid by now.
 */
const deadMs = 60_000

/**
 * `nameGroup` records a process group, which the next command ends if this process is killed.
 * @typedef {{ nameGroup: (group: number) => void }} Held
 */

/**
 * Runs `body` under the lock. Waits for another command in this folder, and ends the npm of a killed command.
 * @template T
 */
export async function withFolderLock(/** @type {(held: Held) => Promise<T>} */ body) {
  const lock = await takeLock()
  const isOurs = () => readIfPresent(lock).startsWith(`${process.pid} `)
  const beat = setInterval(() => {
    if (isOurs()) utimesSync(lock, new Date(), new Date())
  }, beatMs)
  try {
    return await body({ nameGroup: (group) => writeFileSync(lock, `${process.pid} ${group}`) })
  } finally {
    clearInterval(beat)
    // After a long sleep of the machine, another command may have taken the lock.
    if (isOurs()) rmSync(lock, { force: true })
  }
}

/** Returns the lock file. */
async function takeLock() {
  // `os.userInfo()` fails in a container whose user id has no name, so it is not used.
  const folder = path.join(os.tmpdir(), `muster-install-${process.getuid?.() ?? 'user'}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = path.join(folder, createHash('sha256').update(root).digest('hex').slice(0, 16))
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      writeFileSync(lock, `${process.pid} 0`, { flag: 'wx' })
      return lock
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    const found = readIfPresent(lock)
    const [owner = 0, group = 0] = found.split(' ').map(Number)
    const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (!exists(owner) || Date.now() - touched > deadMs) await endAbandoned(lock, { found, group })
    else if (!hasWaited) process.stdout.write('waiting for another command in this folder … ')
    await sleep(beatMs)
  }
}

/**
 * Ends the process group only if it is npm, because another group may have its number by now. Removes the lock only if
 * no other command has taken it.
 */
async function endAbandoned(
  /** @type {string} */ lock,
  /** @type {{ found: string, group: number }} */ { found, group },
) {
  if (group > 1 && /npm/.test(commandOf(group))) await endGroup(group)
  if (readIfPresent(lock) === found) rmSync(lock, { force: true })
}

/** Reads /proc first and then asks ps: macOS has no /proc, and a small Linux image may have no ps. */
const commandOf = (/** @type {number} */ pid) =>
  readIfPresent(`/proc/${pid}/cmdline`) ||
  String(spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '')

function readIfPresent(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export async function endGroup(/** @type {number} */ group) {
  for (const [signal, ms] of /** @type {const} */ ([
    ['SIGTERM', 3000],
    ['SIGKILL', 3000],
  ]))
    for (let waited = 0; exists(-group, waited === 0 ? signal : 0) && waited < ms; waited += 50) await sleep(50)
}

/** Whether a process exists, or a group if the number is negative. */
function exists(/** @type {number} */ pid, /** @type {NodeJS.Signals | 0} */ signal = 0) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
