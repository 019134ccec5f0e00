/** Moves away the scratch files of a failed attempt, if the board's settings say that a retry starts empty. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from '../../core/vocabulary.ts'
import { findFolder } from '../../workspaces/managed-folder.ts'
import { moveToTrash } from '../../workspaces/sweep/remove-folder.ts'
import { inHome } from '../../config/home.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

/** Outcomes after which the next attempt continues with the files. After any other it starts empty. */
const KEEPS_FILES: readonly (Outcome | null)[] = [
  'completed',
  'blocked',
  'review_requested',
  'changes_requested',
  'reclaimed',
  'stopped',
]

/** Moves them in one step to the directory of the run that made them; they are deleted with it. */
export async function archiveScratch({ store, ticket, task, run }: SupervisedRun, signal: AbortSignal): Promise<void> {
  if (task.workspace.kind !== 'scratch' || run.phase !== 'work' || run.attempt === 1) return
  const { home, board } = ticket
  const look = () => Promise.all([store.board(board), store.runs(board, task.id)])
  const [settings, runs] = await retryUntilAvailable(look, { signal })
  if (settings?.settings.retryKeepsFiles ?? true) return
  const last = runs
    .filter(({ id, phase }) => id !== run.id && phase === 'work')
    .toSorted((a, b) => b.attempt - a.attempt)[0]
  if (last === undefined || KEEPS_FILES.includes(last.outcome)) return
  const root = await findFolder(home, 'boards', board, 'workspaces')
  if (root === null || (await findFolder(home, 'boards', board, 'workspaces', task.id)) === null) return
  const kept = join(inHome.runs(home), last.id, 'workspace')
  await rename(join(root, task.id), kept).catch(() => moveToTrash({ home, board, task: task.id }))
}
