/**
 * A note in the data folder for each repository in which a landing is in progress. If a note exists without a landing,
 * a checkout of that repository may be locked and half updated. The note is removed when a landing succeeds, or when
 * every checkout is recovered.
 */
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import { sha256 } from '../../util/sha256.ts'
import { usersGit } from '../git/git.ts'
import { namesInFolder, fileFault } from '../managed-folder.ts'
import { landingGit } from '../git/orphaned-git.ts'
import { findRepository } from '../git/repository.ts'
import type { Repository } from '../git/repository.ts'
import { withRepository } from '../git/repository-lock.ts'
import type { RepositoryHold } from '../git/repository-lock.ts'
import { finishUpdate } from './target-checkout.ts'
import { allWorktrees } from '../git/worktree.ts'

/**
 * The time to wait for the lock of the repository. If another process holds the lock for longer, it is landing work,
 * and no recovery is needed.
 */
const PATIENCE_MS = 200

const noteOf = (home: string, repo: string): string => join(inHome.landings(home), sha256(repo).slice(0, 16))

/** Runs a landing with a note. The caller must hold the lock of the repository. */
export async function withLandingNote<T>(home: string, repo: string, land: () => Promise<T>): Promise<T> {
  const note = noteOf(home, repo)
  // Whether the note existed before. In that case, an earlier landing may have left another checkout locked, and the
  // note must stay for the recovery.
  const isLeft = existsSync(note)
  await writeNote(home, note, repo)
  const landed = await land()
  if (!isLeft) await rm(note, { force: true })
  return landed
}

async function writeNote(home: string, note: string, repo: string): Promise<void> {
  try {
    await mkdir(inHome.landings(home), { recursive: true, mode: 0o700 })
    await writeFile(note, `${repo}\n`, { mode: 0o600, flush: true })
  } catch (error) {
    throw fileFault(error, inHome.landings(home))
  }
}

/** Finishes the landings that a crash interrupted. Returns the number of repositories that could not be recovered. */
export async function recoverLandings(home: string): Promise<number> {
  let failed = 0
  for (const name of await namesInFolder(home, 'landings')) if (!(await recoverLanding(home, name))) failed += 1
  return failed
}

async function recoverLanding(home: string, name: string): Promise<boolean> {
  const note = join(inHome.landings(home), name)
  try {
    const repo = (await readFile(note, 'utf8')).trimEnd()
    const repository = await findRepository(usersGit(home), repo)
    return await withRepository(repository.common, AbortSignal.timeout(PATIENCE_MS), async (hold) => {
      const isRecovered = await finishUpdates(home, repository, hold)
      if (isRecovered) await rm(note, { force: true })
      return isRecovered
    })
  } catch {
    return false
  }
}

/** Finishes the updates of a repository. Returns false if one of its checkouts may still be half updated. */
async function finishUpdates(home: string, repository: Repository, hold: RepositoryHold): Promise<boolean> {
  const git = landingGit(home, repository.common)
  let failed = 0
  for (const { place } of await allWorktrees(git, repository))
    await finishUpdate(git, place, { hold, patienceMs: PATIENCE_MS }).catch(() => (failed += 1))
  return failed === 0
}
