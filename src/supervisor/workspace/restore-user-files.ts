/**
 * Restores files of the user that an earlier attempt left changed. The process that settles a lost run does that, too,
 * except on another machine.
 */
import { dirname } from 'node:path'
import { putBackKept } from '../../harnesses/keep-files.ts'
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
      await putBackKept(runDirectoryAt(dirname(logPath)))
}
