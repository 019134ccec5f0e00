/** The condition of a live run, as seen from this machine. */
import type { Run } from '../../core/run.ts'

export const RUN_CONDITIONS = [
  /** Claimed by a person. */
  'manual',
  /** On another machine: only its lease can be seen. */
  'elsewhere',
  /** Its supervisor has not registered yet. */
  'starting',
  'working',
  /** The supervisor is alive, the agent is not: checks run, or the run is being settled. */
  'settling',
  /** A person asked to end it, or it timed out. */
  'ending',
  /** The supervisor is gone, its processes are not: a dispatcher ends them. */
  'orphaned',
  /** All its processes are gone: a dispatcher closes it. */
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
