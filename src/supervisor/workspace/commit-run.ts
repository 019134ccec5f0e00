/** Commits the work of a run before its settlement. Used by the supervisor, and by a dispatcher for a lost run. */
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
  readonly task: Pick<Task, 'id' | 'board' | 'title' | 'checks' | 'workspace' | 'branch'>
  readonly run: Run
  readonly settings: Pick<BoardSettings, 'commit'>
  readonly directory: RunDirectory
  readonly ending: Parameters<typeof willFinish>[0]['ending']
  readonly verdict: Verdict | null
  readonly completesOnExit: boolean
}

/**
 * Returns null if the run did not finish work in a worktree. It never throws: if the commit fails, `note` explains why.
 */
export async function commitRun(ended: EndedRun): Promise<Changes | null> {
  const { home, task, run, settings, directory } = ended
  const { repo, base, kind } = task.workspace
  if (kind !== 'worktree' || repo === null || task.branch === null || !willFinish(ended)) return null
  try {
    // The run's mark lets a dispatcher find and end this git process before it settles the run.
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
