/**
 * Restores files of the user that an earlier attempt left changed. A dispatcher that settles a run without its
 * supervisor restores them too, but only on the machine that has the files.
 */
import { dirname } from 'node:path'
import { restoreAfterCrash } from '../../harnesses/restore-changed-files.ts'
import { runDirectoryAt } from '../../runs/files/run-directory.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

export async function restoreUserFiles(
  { store, ticket, task, run }: SupervisedRun,
  signal: AbortSignal,
): Promise<void> {
  const runs = await retryUntilAvailable(() => store.runs(ticket.board, task.id), { signal })
  for (const { id, machine, logPath } of runs)
    if (id !== run.id && machine === run.machine && logPath !== null)
      await restoreAfterCrash(runDirectoryAt(dirname(logPath)))
}
