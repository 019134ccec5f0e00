/**
 * Lets only one process at a time change a repository, even across data folders. The lock file names the process that
 * holds the lock, and this process renews the file now and then. A lock is stale if its process is dead. If this
 * process cannot see the holder, the lock is stale when it was not renewed for some time. A holder that lost its lock
 * in this way finds out with `isHeld`.
 */
import { link, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import { nullIfMissing, readIfExists } from '../../util/replace-file.ts'
import { newToken } from '../../util/mint.ts'
import { isGone, ownProcess, processLiveness } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { WorkspaceBusy, WorkspaceFault } from '../workspace-fault.ts'

const NAME = 'muster-worktree.lock'
const OLD_MS = 5 * 60_000
const LONGEST_WAIT_MS = 250

/** This error means that another process held the lock until the timeout. */
export class RepositoryBusy extends WorkspaceBusy {}

export interface RepositoryHold {
  /** Whether this process still holds the lock. Callers check this before a step that cannot be undone. */
  readonly isHeld: () => Promise<boolean>
}

/**
 * Runs `work` under the lock. If the signal is a timeout and ends the wait for the lock, rejects with `RepositoryBusy`.
 */
export async function withRepository<T>(
  folder: string,
  signal: AbortSignal,
  work: (hold: RepositoryHold) => Promise<T>,
): Promise<T> {
  const path = join(folder, NAME)
  const text = `${JSON.stringify({ ...(await ownProcess()), token: newToken() })}\n`
  for (let waitMs = 10; !(await take(path, text)); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const found = await findLeft(path)
    if (found !== null) await clear(path, found)
    else
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal }).catch((error: unknown) => raise(error, signal))
  }
  const hold = { isHeld: async () => (await readLock(path)) === text }
  const renew = async (): Promise<void> => {
    if (await hold.isHeld()) await utimes(path, new Date(), new Date())
  }
  const renewal = setInterval(() => void renew().catch(() => {}), OLD_MS / 10)
  try {
    return await work(hold)
  } finally {
    clearInterval(renewal)
    if (await hold.isHeld().catch(() => true)) await rm(path, { force: true })
  }
}

function raise(error: unknown, { reason }: AbortSignal): never {
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    throw new RepositoryBusy('Another process uses the repository.')
  throw error
}

/** The content of a lock file. Null means that the lock does not exist. */
const readLock = (path: string): Promise<string | null> => nullIfMissing(readFile(path, 'utf8'))

async function take(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    // If this process was suspended after it created the file, another process may have removed the empty file as
    // stale.
    return (await readLock(path)) === text
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      throw new WorkspaceFault(`${dirname(path)} cannot be written: a worktree needs its repository to be writable.`)
    // On a full disk the new lock file is empty, so this process removes it again.
    if ((await readIfExists(path)) === '') await rm(path, { force: true })
    throw error
  }
}

/** The content of a lock that is stale. This is null for any other lock. */
async function findLeft(path: string): Promise<string | null> {
  const [text, found] = await Promise.all([readIfExists(path), stat(path).catch(() => null)])
  if (text === null || found === null) return null
  const isOld = Date.now() - found.mtimeMs > OLD_MS
  const holder = parseHolder(text)
  const state =
    holder === null ? 'unseen' : typeof holder === 'number' ? pidLiveness(holder) : await processLiveness(holder)
  return state === 'dead' || (state === 'unseen' && isOld) ? text : null
}

const pidLiveness = (pid: number): 'dead' | 'unseen' => (isGone(pid) ? 'dead' : 'unseen')

/**
 * The process that holds the lock. Earlier versions wrote only the pid of the process. Null means that the file is not
 * complete yet.
 */
function parseHolder(text: string): ProcessIdentity | number | null {
  try {
    const holder = JSON.parse(text) as ProcessIdentity | number | null
    return typeof holder === 'number' || typeof holder?.pid === 'number' ? holder : null
  } catch {
    return null
  }
}

/** Removes a stale lock. If another process has created a new lock in the meantime, the new lock is put back. */
async function clear(path: string, text: string): Promise<void> {
  const aside = `${path}.${newToken()}`
  await rename(path, aside).catch(() => {})
  if ((await readIfExists(aside)) !== text) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}
