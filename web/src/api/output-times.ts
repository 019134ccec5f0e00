/**
 * The time at which each run last printed a line while this tab followed the run. A card shows this time when its run
 * has been silent for long.
 */
import { serverNow } from './server-clock.ts'

const times = new Map<string, number>()
/** The maximum number of runs to remember, which is larger than the number of runs on a machine. */
const MOST = 1_000

export function noteOutput(runId: string): void {
  times.delete(runId)
  times.set(runId, serverNow())
  const [oldest] = times.keys()
  if (times.size > MOST && oldest !== undefined) times.delete(oldest)
}

/** Returns the time of the last line. Undefined if no line has arrived since this tab was opened. */
export const outputTimeOf = (runId: string): number | undefined => times.get(runId)
