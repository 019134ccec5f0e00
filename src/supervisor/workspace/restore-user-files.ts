/**
 * Files of others that an earlier attempt at this card left changed. Whoever settles a lost run puts them back, unless
 * that was another machine, which could not.
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
