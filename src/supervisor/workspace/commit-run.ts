/**
 * Commits the work of a run before the run is settled. The supervisor calls this function. If the supervisor died, a
 * dispatcher calls it.
 */
import type { BoardSettings } from '../../core/board.ts'
import type { Changes, Run, Verdict } from '../../core/run.ts'
import type { Task } from '../../core/task.ts'
import { willFinish } from '../../core/gates/will-finish.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { systemReasonWithPath } from '../../util/system-errors.ts'
import { usersGit } from '../../workspaces/git/git.ts'
import { commitWork } from '../../workspaces/landing/commit-work.ts'
import { scratchPath } from '../../workspaces/workspace.ts'
import { placeOfWorktree } from '../../workspaces/git/repository.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'

interface EndedRun {
  readonly home: string
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'checks' | 'goal' | 'workspace' | 'branch'>
  readonly run: Run
  readonly settings: Pick<BoardSettings, 'commit'>
  readonly directory: RunDirectory
  readonly ending: Parameters<typeof willFinish>[0]['ending']
  readonly verdict: Verdict | null
  readonly completesOnExit: boolean
}

/**
 * Commits the work. Returns null if the run did not finish work in a worktree. This function never throws an error: if
 * the commit fails, `note` explains why.
 */
export async function commitRun(ended: EndedRun): Promise<Changes | null> {
  const { home, task, run, settings, directory } = ended
  const { repo, base, kind } = task.workspace
  if (kind !== 'worktree' || repo === null || task.branch === null || !willFinish(ended)) return null
  try {
    // The git process gets the run's mark. So a dispatcher can find and end this process before it settles the run.
    const git = usersGit(home, { MUSTER_RUN: run.id })
    const place = await placeOfWorktree(git, {
      repo,
      path: scratchPath({ home, board: task.board, task: task.workspace.owner ?? task.id }),
    })
    if (place === null) return null
    const began = (await readIfExists(directory.head))?.trim() ?? ''
    const from = began === '' ? (base ?? 'HEAD') : began
    const message = `${task.title}\n\nMuster-Card: ${task.id}\nMuster-Run: ${run.id}\n`
    return await commitWork(git, { place, branch: task.branch, from, message, commit: settings.commit })
  } catch (error) {
    return {
      files: 0,
      added: 0,
      removed: 0,
      commit: null,
      note: `The work was not committed: ${systemReasonWithPath(error)}`,
    }
  }
}
