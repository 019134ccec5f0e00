/** Finds out the condition of a live run, as far as this machine can see the run. */
import type { Run } from '../../core/run.ts'

export const RUN_CONDITIONS = [
  /** A person has claimed the card, so the run has no processes. */
  'manual',
  /** The run is on another machine, so only its lease can be seen. */
  'elsewhere',
  /** The supervisor of the run has not registered yet. */
  'starting',
  'working',
  /** The agent has ended, but its supervisor is alive. It is running the checks or settling the run. */
  'settling',
  /** A person asked to end the run, or the run timed out. */
  'ending',
  /** The supervisor has died, but processes of the agent are alive. A dispatcher ends these processes. */
  'orphaned',
  /** All processes of the run have ended. A dispatcher closes the run. */
  'gone',
] as const
export type RunCondition = (typeof RUN_CONDITIONS)[number]

export interface SeenProcesses {
  readonly isHere: boolean
  readonly supervised: boolean
  readonly processes: number
}

export function conditionOf(run: Run, { isHere, supervised, processes }: SeenProcesses): RunCondition {
  if (run.kind === 'manual') return 'manual'
  if (!isHere) return 'elsewhere'
  if (run.identity === null) return 'starting'
  if (!supervised) return processes > 0 ? 'orphaned' : 'gone'
  if (run.terminatingAt !== null || run.intent !== null) return 'ending'
  return processes > 0 ? 'working' : 'settling'
}
