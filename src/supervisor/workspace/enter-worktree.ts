/**
 * Finds or makes the worktree of a card for its run. The first run makes the worktree and sets it up. A card that
 * shares its branch with an earlier card continues in that card's worktree.
 */
import { existsSync } from 'node:fs'
import { DEFAULT_SETTINGS } from '../../core/board.ts'
import type { BoardSettings } from '../../core/board.ts'
import { ownBranch } from '../../core/gates/workspace-gates.ts'
import { writeFile } from '../../util/guarded-files.ts'
import { gitWith } from '../../workspaces/git/git.ts'
import type { Git } from '../../workspaces/git/git.ts'
import { scratchPath } from '../../workspaces/workspace.ts'
import { placeOfWorktree } from '../../workspaces/git/repository.ts'
import {
  discardUnfinished,
  findWorktree,
  makeWorktree,
  markReady,
  requireBranch,
  restoreGitFile,
} from '../../workspaces/git/worktree.ts'
import type { Worktree, WorktreeRequest } from '../../workspaces/git/worktree.ts'
import { enterRoot } from '../../workspaces/workspaces-root.ts'
import { checkEnvironment } from '../checks/environment.ts'
import type { Entered } from './enter-workspace.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { SUPERVISOR } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'
import { runSetup } from './set-up.ts'

export async function enterWorktree(owned: SupervisedRun, signal: AbortSignal): Promise<Entered> {
  const { store, task, ticket, fence, env } = owned
  const { home, board, passEnvironment: passed } = ticket
  await enterRoot(home, board)
  const { repo, owner } = task.workspace
  const path = scratchPath({ home, board, task: owner ?? task.id })
  // The git processes get the run's mark, so that ending the run also ends them.
  const git = gitWith({ home, env: checkEnvironment(env, { task, workspace: path, run: fence.runId, passed }), signal })
  const found = await findWorktree(git, { repo, path })
  if (found !== null) {
    const place = await placeOfWorktree(git, { repo, path })
    if (place !== null) {
      await restoreGitFile(place)
      if (task.workspace.base === null && task.branch !== null) await requireBranch(git, place, task.branch)
    }
    await noteHead(owned, git, { repo, path })
    await recordWorktree(owned, path, found, signal)
    return { path, branch: found.branch }
  }
  const settings = (await retryUntilAvailable(() => store.board(board), { signal }))?.settings ?? DEFAULT_SETTINGS
  const branch = task.branch ?? ownBranch(task.id)
  const ignored = { link: settings.worktreeLink, copy: settings.worktreeCopy }
  const request = { repo, path, branch, base: task.base, ignored }
  const made = await makeAndSetUp(owned, git, { request, settings, signal }).catch(async (error: unknown) => {
    // Errors of this clean-up are ignored, because the first error matters.
    if (!signal.aborted) await discardUnfinished(git, request, signal).catch(() => {})
    throw error
  })
  await recordWorktree(owned, path, made, signal)
  await markReady(git, { repo, path }, made)
  await noteHead(owned, git, { repo, path })
  return { path, branch }
}

async function makeAndSetUp(
  owned: SupervisedRun,
  git: Git,
  { request, settings, signal }: { request: WorktreeRequest; settings: BoardSettings; signal: AbortSignal },
): Promise<Worktree> {
  const made = await makeWorktree(git, request, signal)
  const { worktreeSetup: line, worktreeSetupMs: timeoutMs } = settings
  if (line !== null) await runSetup(owned, [line], { workspace: request.path, timeoutMs, signal, of: 'its worktree' })
  return made
}

/**
 * Records the commit at which the run began, once for each run. The changes of the run are counted from this commit.
 */
async function noteHead(
  { directory }: SupervisedRun,
  git: Git,
  worktree: { repo: string | null; path: string },
): Promise<void> {
  if (existsSync(directory.head)) return
  const place = await placeOfWorktree(git, worktree)
  const head = place === null ? null : await git.ask(place, 'rev-parse', '--verify', '--quiet', 'HEAD')
  if (head !== null) await writeFile(directory.head, head, { mode: 0o600 })
}

/**
 * Records the worktree on the card once, before the worktree is marked as ready. So after a crash in between, the next
 * run creates and records it again.
 */
async function recordWorktree(
  { store, task, fence, ticket }: SupervisedRun,
  path: string,
  made: Worktree,
  signal: AbortSignal,
) {
  if (task.workspace.base === made.base) return
  const { branch, base, baseBranch, notes } = made
  const { owner } = task.workspace
  const input = { task: task.id, fence, path, branch, owner, base, baseBranch, notes: [...notes] }
  const recorded = await retryUntilAvailable(
    () => store.decide({ verb: 'note_worktree', board: ticket.board, actor: SUPERVISOR, input }),
    { signal },
  )
  if (!recorded.ok) throw recorded.error
}
