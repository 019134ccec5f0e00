/**
 * Notes in the data folder, one for each repository in which a landing is under way. A note that outlives its landing
 * shows that a crash may have left a checkout of that repository locked and half updated.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import { BoardError } from '../core/errors.ts'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { sha256 } from '../util/sha256.ts'
import { usersGit } from './git.ts'
import { entriesIn } from './managed-folder.ts'
import { findRepository } from './repository.ts'
import { withRepository } from './repository-lock.ts'
import { finishUpdate } from './target-checkout.ts'
import { entriesOf } from './worktree.ts'

/** The wait for the lock of a repository. A landing that is under way keeps the lock longer, and needs no recovery. */
const PATIENCE_MS = 200

const noteOf = (home: string, repo: string): string => join(inHome.landings(home), sha256(repo).slice(0, 16))

/** Needs the lock of the repository. */
export async function withLandingNote<T>(home: string, repo: string, land: () => Promise<T>): Promise<T> {
  const note = noteOf(home, repo)
  await mkdir(inHome.landings(home), { recursive: true, mode: 0o700 })
  await writeFile(note, `${repo}\n`, { mode: 0o600, flush: true })
  try {
    return await land()
  } finally {
    await rm(note, { force: true })
  }
}

/** Ends the landings that a crash cut off. Returns the number of repositories that must be tried again. */
export async function recoverLandings(home: string): Promise<number> {
  let left = 0
  for (const name of await entriesIn(home, 'landings')) if (!(await recoverLanding(home, name))) left += 1
  return left
}

async function recoverLanding(home: string, name: string): Promise<boolean> {
  const note = join(inHome.landings(home), name)
  try {
    const repo = (await readFile(note, 'utf8')).trimEnd()
    const git = usersGit(home)
    const repository = await findRepository(git, repo)
    await withRepository(repository.common, AbortSignal.timeout(PATIENCE_MS), async () => {
      for (const { place } of await entriesOf(git, repository)) await finishUpdate(git, place)
      await rm(note, { force: true })
    })
    return true
  } catch (error) {
    // A BoardError means that the user has changed the files since. Only the next landing can report that.
    if (!(error instanceof BoardError)) return false
    await rm(note, { force: true })
    return true
  }
}
