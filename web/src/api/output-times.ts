/**
 * When each run last printed a line while this tab was open. A card shows this time after a long silence of its run.
 */
import { serverNow } from './server-clock.ts'

const times = new Map<string, number>()
/** The maximum number of runs to remember. A machine has fewer runs than this at once. */
const MOST = 1_000

export function noteOutput(runId: string): void {
  times.delete(runId)
  times.set(runId, serverNow())
  const [oldest] = times.keys()
  if (times.size > MOST && oldest !== undefined) times.delete(oldest)
}

/** Returns the time of the last line. Undefined if no line has arrived since this tab was opened. */
export const outputTimeOf = (runId: string): number | undefined => times.get(runId)
