/** Moves the scratch files of a failed attempt away, if the board's settings let retries start with an empty folder. */
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Outcome } from '../../core/vocabulary.ts'
import { findFolder } from '../../workspaces/managed-folder.ts'
import { inHome } from '../../config/home.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { systemReason } from '../../util/system-errors.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

/**
 * The outcomes after which the next attempt keeps the files. After any other outcome, the next attempt starts with an
 * empty folder.
 */
const KEEPS_FILES: readonly (Outcome | null)[] = [
  'completed',
  'blocked',
  'review_requested',
  'changes_requested',
  'reclaimed',
  'stopped',
]

/**
 * Moves the files at once into the directory of the earlier run, and they are deleted together with it. If the move
 * fails, the files stay, because a retry with old files is better than lost work.
 */
export async function archiveScratch(
  { store, ticket, task, run, directory }: SupervisedRun,
  signal: AbortSignal,
): Promise<void> {
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
  try {
    await mkdir(dirname(kept), { recursive: true, mode: 0o700 })
    await rename(join(root, task.id), kept)
  } catch (error) {
    await noteInLog(
      directory.log,
      `The files of the last attempt stay, because they cannot be moved: ${systemReason(error)}`,
    )
  }
}
