import type { Run } from '../../core/run.ts'
import { readLastLine } from '../../supervisor/turns/last-output.ts'

/** The last note of a live run. If the run has no note, the last output, if the log is on this machine. */
export async function lastOutputOf({ note, logPath }: Pick<Run, 'note' | 'logPath'>): Promise<string | null> {
  return note !== null || logPath === null ? note : readLastLine(logPath)
}
