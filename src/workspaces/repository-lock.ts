/**
 * One at a time per repository, also across processes and homes. Politeness, not proof: git has locks of its own, and
 * whoever meets one waits. So a lock that seems left behind is simply taken.
 */
import { rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { WorkspaceBusy, WorkspaceFault } from './workspace-fault.ts'

const NAME = 'muster-worktree.lock'
const OLD_MS = 5 * 60_000
const LONGEST_WAIT_MS = 250

/** Another process had the lock until the time was over. */
export class RepositoryBusy extends WorkspaceBusy {}

/** Rejects with `RepositoryBusy` when a signal of `AbortSignal.timeout` ends the waiting. */
export async function withRepository<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const path = join(folder, NAME)
  for (let waitMs = 10; !(await take(path)); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    if (await isLeft(path)) await clear(path)
    else
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal }).catch((error: unknown) => raise(error, signal))
  }
  // A lock that is old counts as left behind, also while its process lives.
  const renewal = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), OLD_MS / 10)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await rm(path, { force: true })
  }
}

function raise(error: unknown, { reason }: AbortSignal): never {
  if (reason instanceof DOMException && reason.name === 'TimeoutError')
    throw new RepositoryBusy('Another process uses the repository.')
  throw error
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      throw new WorkspaceFault(`${dirname(path)} cannot be written: a worktree needs its repository to be writable.`)
    throw error
  }
}

async function isLeft(path: string): Promise<boolean> {
  const [text, found] = await Promise.all([readFile(path, 'utf8').catch(() => ''), stat(path).catch(() => null)])
  if (found === null) return false
  return Date.now() - found.mtimeMs > OLD_MS || (text.endsWith('\n') && !lives(Number(text)))
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In two steps: whoever comes second finds nothing to move, and removes nobody's new lock. */
async function clear(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  await rename(path, aside).catch(() => {})
  await rm(aside, { force: true })
}
