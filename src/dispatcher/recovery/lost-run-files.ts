/** Reads the files of a run whose supervisor is gone. */
import { dirname } from 'node:path'
import type { Fence, Run } from '../../core/run.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { readExit, wasCutOff } from '../../runs/files/exit-file.ts'
import { runDirectoryAt } from '../../runs/files/run-directory.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'

export const fenceOf = (run: Run): Fence => ({ runId: run.id, tokenHash: run.tokenHash ?? '' })

/**
 * The run directory. Its path comes from the path of the log, because the supervisor may have used another data folder.
 */
export const runDirectoryOf = (run: Run): RunDirectory | null =>
  run.logPath === null ? null : runDirectoryAt(dirname(run.logPath))

/**
 * The agent's exit status. This is null while the agent runs. Also null if Muster ended the agent, because in that case
 * the status is not the agent's own.
 */
export async function readAgentExit(run: Run): Promise<ProcessExit | null> {
  const directory = runDirectoryOf(run)
  return directory === null || (await wasCutOff(directory)) ? null : readExit(directory, fenceOf(run))
}
