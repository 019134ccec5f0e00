/**
 * Locks the index of a checkout against all other git processes, even the user's own. Work happens on a copy of the
 * index, which then replaces the index. The user can delete Muster's lock, and the user's git can then make its own
 * lock. So Muster's lock contains a mark, and Muster never removes a lock without this mark.
 */
import { existsSync } from 'node:fs'
import { chmod, link, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { copyIndex } from './copy-index.ts'
import type { GitPlace } from './git-place.ts'
import type { RepositoryHold } from './repository-lock.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

/** A checkout in which git uses the copy of the index. */
export interface LockedCheckout {
  readonly place: GitPlace
  readonly env: { readonly GIT_INDEX_FILE: string }
}

const PATIENCE_MS = 10_000
const WAIT_MS = 100
const COPY = 'muster-landing-index'
const PART = 'muster-landing-lock'
const MARK = 'muster\n'

const lockOf = ({ gitDir }: GitPlace): string => join(gitDir, 'index.lock')
const indexOf = ({ gitDir }: GitPlace): string => join(gitDir, 'index')

/**
 * Whether the process of an earlier landing was killed and left the index locked. The caller must hold the lock of the
 * repository.
 */
export const hasLeftLock = (place: GitPlace): Promise<boolean> => isOwn(lockOf(place))

export interface LockRequest {
  readonly hold: RepositoryHold
  /** The time to wait for another git process. */
  readonly patienceMs?: number
}

/**
 * Locks the index. The caller must hold the lock of the repository. Every Muster process takes the lock of the
 * repository first, so a marked lock on the index can only come from a crash.
 */
export async function lockIndex(place: GitPlace, { hold, patienceMs = PATIENCE_MS }: LockRequest): Promise<IndexLock> {
  const lock = new IndexLock(place, hold, patienceMs)
  await lock.take()
  return lock
}

export class IndexLock {
  readonly checkout: LockedCheckout
  readonly #hold: RepositoryHold
  readonly #patienceMs: number
  #wasLeft: boolean | null = null
  /** Identifies the state of the index when it was copied. */
  #copied = ''

  constructor(place: GitPlace, hold: RepositoryHold, patienceMs: number) {
    this.checkout = { place, env: { GIT_INDEX_FILE: join(place.gitDir, COPY) } }
    this.#hold = hold
    this.#patienceMs = patienceMs
  }

  /** Whether an earlier landing left the index locked. */
  get wasLeft(): boolean {
    return this.#wasLeft === true
  }

  /** Takes the lock. If the user removed the lock, another call takes it again. */
  async take(): Promise<void> {
    const lock = lockOf(this.checkout.place)
    const deadline = performance.now() + this.#patienceMs
    while (!(await makeLock(this.checkout.place))) {
      if (await isOwn(lock)) {
        this.#wasLeft ??= true
        return
      }
      if (performance.now() > deadline)
        throw new WorkspaceFault(
          `Another git process uses the checkout: wait for it, or remove ${lock} if no git is running.`,
        )
      await sleep(WAIT_MS)
    }
    this.#wasLeft ??= false
  }

  async isHeld(): Promise<boolean> {
    return (await isOwn(lockOf(this.checkout.place))) && this.#hold.isHeld()
  }

  /** Copies the index. A second call replaces the earlier copy. */
  async copyIndex(): Promise<void> {
    const { place, env } = this.checkout
    await this.#removeCopy()
    this.#copied = await stampOf(place)
    await copyIndex(place, env.GIT_INDEX_FILE)
    // The copy may become the index, so it gets the same mode. In a shared repository, other users must be able to read
    // the index.
    if (this.#copied !== '') await chmod(env.GIT_INDEX_FILE, (await stat(indexOf(place))).mode & 0o777)
  }

  /** Renames the copy to the index. Throws an error if the user removed the lock or changed the index. */
  async install(): Promise<void> {
    const { place, env } = this.checkout
    if (!existsSync(env.GIT_INDEX_FILE)) return
    if (!(await this.isHeld()) || (await stampOf(place)) !== this.#copied)
      throw new WorkspaceFault(`${lockOf(place)} was removed while Muster used the checkout.`)
    await rename(env.GIT_INDEX_FILE, indexOf(place))
  }

  /** Removes the lock, unless the lock now belongs to another process. */
  async release(): Promise<void> {
    if (!(await this.#hold.isHeld())) return
    await this.#removeCopy()
    const lock = lockOf(this.checkout.place)
    if (await isOwn(lock)) await rm(lock, { force: true })
  }

  async #removeCopy(): Promise<void> {
    const copy = this.checkout.env.GIT_INDEX_FILE
    for (const left of [copy, `${copy}.lock`]) await rm(left, { force: true })
  }
}

const isOwn = async (lock: string): Promise<boolean> => (await readIfExists(lock)) === MARK

/** A text that identifies the state of the index. Empty if the index does not exist. */
async function stampOf(place: GitPlace): Promise<string> {
  const found = await stat(indexOf(place), { bigint: true }).catch(() => null)
  return found === null ? '' : `${found.ino}:${found.size}:${found.mtimeNs}`
}

/** The errors of file systems that do not support hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/**
 * Creates the lock together with its mark, in one step. After a crash or on a full disk, a lock without the mark would
 * stay in the user's repository.
 */
async function makeLock(place: GitPlace): Promise<boolean> {
  const [lock, part] = [lockOf(place), join(place.gitDir, PART)]
  try {
    await writeFile(part, MARK, { mode: 0o600, flush: true })
    await link(part, lock).catch(async (error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.includes(error.code ?? '')) throw error
      await writeFile(lock, MARK, { flag: 'wx', mode: 0o600 })
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}
