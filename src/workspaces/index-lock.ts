/** Locks the index of a checkout against every other git, the user's own included, and works on a copy of it. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { copyIndex } from './copy-index.ts'
import type { GitPlace } from './git-place.ts'
import { WorkspaceFault } from './workspace-fault.ts'

/** Where git works with the copy. */
export interface LockedCheckout {
  readonly place: GitPlace
  readonly env: { readonly GIT_INDEX_FILE: string }
}

const PATIENCE_MS = 10_000
const WAIT_MS = 100
const COPY = 'muster-landing-index'
const MARK = 'muster\n'

/**
 * Needs the lock of the repository, which all of Muster takes first: an index lock with our mark was then left behind by
 * a crash. The copy is removed at the end, unless `act` has renamed it over the index.
 */
export async function withLockedIndex(place: GitPlace, act: (locked: LockedCheckout) => Promise<void>): Promise<void> {
  const lock = join(place.gitDir, 'index.lock')
  const copy = join(place.gitDir, COPY)
  await takeLock(lock)
  try {
    for (const left of [copy, `${copy}.lock`]) await rm(left, { force: true })
    await copyIndex(place, copy)
    await act({ place, env: { GIT_INDEX_FILE: copy } })
  } finally {
    for (const left of [copy, `${copy}.lock`, lock]) await rm(left, { force: true })
  }
}

/** Removes the index lock of a landing that crashed before it changed anything. Needs the lock of the repository. */
export async function removeLeftLock({ gitDir }: GitPlace): Promise<void> {
  const lock = join(gitDir, 'index.lock')
  if (!(await isOwnLock(lock))) return
  for (const left of [join(gitDir, COPY), join(gitDir, `${COPY}.lock`), lock]) await rm(left, { force: true })
}

const isOwnLock = async (lock: string): Promise<boolean> => (await readFile(lock, 'utf8').catch(() => '')) === MARK

async function takeLock(lock: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await makeLock(lock))) {
    if (await isOwnLock(lock)) return
    if (performance.now() > deadline)
      throw new WorkspaceFault(`Another git uses the checkout: wait for it, or remove ${lock} if none is running.`)
    await sleep(WAIT_MS)
  }
}

async function makeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, MARK, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
