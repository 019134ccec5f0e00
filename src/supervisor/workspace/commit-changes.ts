/** Commits the work of this run before the run is settled. Only runs in worktrees load the code for this. */
import { DEFAULT_SETTINGS } from '../../core/board.ts'
import type { Changes } from '../../core/run.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilShutdown } from '../retry.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'

export async function commitChanges(owned: SupervisedRun, ending: Ending): Promise<Changes | null> {
  const { store, ticket, fence, directory } = owned
  if (owned.task.workspace.kind !== 'worktree') return null
  const look = () =>
    Promise.all([store.task(ticket.board, ticket.task), store.board(ticket.board), store.run(fence.runId)])
  const [task, board, run] = await retryUntilShutdown(owned, look)
  if (task === null || run === null || run.endedAt !== null) return null
  const { commitRun } = await import('./commit-run.ts')
  const { home, completesOnExit } = ticket
  const settings = board?.settings ?? DEFAULT_SETTINGS
  return commitRun({ home, task, run, settings, directory, ending, verdict: null, completesOnExit })
}
