/**
 * A lock that lets one process at a time run checks in a workspace. A process creates a lock file with its own name,
 * and holds the lock if no other file exists. If two processes create files at the same time, each sees the other file,
 * deletes its own and retries. The file of a dead process is ignored, so a crash leaves no lock behind.
 */
import { readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { newRunId } from '../../util/mint.ts'
import { sha256 } from '../../util/sha256.ts'
import { ownIdentity } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'

export interface SuitePlace {
  readonly home: string
  readonly workspace: string
  readonly host: Host
  readonly signal: AbortSignal
}

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

/** Runs `work` under the lock. If the signal aborts the wait for the lock, rejects with the reason of the signal. */
export async function withSuiteLock<T>(place: SuitePlace, work: () => Promise<T>): Promise<T> {
  const { home, host, signal } = place
  const folder = inHome.locks(home)
  await makePrivateFolder(folder)
  const suite = await suiteOf(place.workspace)
  const file = join(folder, lockFileOf(suite, host))
  for (let waitMs = FIRST_WAIT_MS; !(await tryLock(file, { folder, suite, host }));) {
    signal.throwIfAborted()
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted())
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

interface LockFolder {
  readonly folder: string
  readonly suite: string
  readonly host: Host
}

/**
 * Tries to take the lock. The function looks for other files before it creates a file, because the file of a waiting
 * process would block others.
 */
async function tryLock(file: string, lockFolder: LockFolder): Promise<boolean> {
  if (await isTaken(file, lockFolder)) return false
  await writeFile(file, '', { flag: 'wx', mode: 0o600 })
  if (!(await isTaken(file, lockFolder))) return true
  await rm(file, { force: true })
  return false
}

async function isTaken(own: string, { folder, suite, host }: LockFolder): Promise<boolean> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (path === own || !name.startsWith(`${suite}.`)) continue
    if (isHeld(name, host)) return true
    // The process of this lock file is dead, and no other process uses the same name for its file.
    await rm(path, { force: true })
  }
  return false
}

/** The name of the lock. All paths to a workspace, even through links, give the same name. */
const suiteOf = async (workspace: string): Promise<string> =>
  `checks-${sha256(await realpath(workspace).catch(() => workspace)).slice(0, 32)}`

/** Identifies the boot and the container of this process, because a pid is valid only within them. */
const bootKey = ({ machine }: Host): string => sha256(`${machine.id} ${machine.bootId}`).slice(0, 16)

const encoded = (text: string): string => Buffer.from(text).toString('hex')

function lockFileOf(suite: string, host: Host): string {
  const { pid, startTime } = ownIdentity(host)
  return [suite, bootKey(host), pid, encoded(startTime), newRunId()].join('.')
}

function isHeld(file: string, host: Host): boolean {
  const [, system, pid, startTime] = file.split('.')
  const found = system === bootKey(host) ? host.processes.read(Number(pid)) : null
  return found !== null && !found.zombie && encoded(found.startTime) === startTime
}
