/** How a live run stands, by what can be seen of it here. */
import type { Run } from '../../core/run.ts'

export const RUN_CONDITIONS = [
  /** A person's own work. */
  'manual',
  /** On another machine: only its lease can be seen. */
  'elsewhere',
  /** Its supervisor has not registered yet. */
  'starting',
  'working',
  /** Its supervisor lives, nothing of the agent does: its checks run, or it is being settled. */
  'settling',
  /** Somebody asked for its end, or its time is over. */
  'ending',
  /** Its supervisor is gone, its processes are not: a dispatcher ends them. */
  'orphaned',
  /** Nothing of it is left: a dispatcher closes it. */
  'gone',
] as const
export type RunCondition = (typeof RUN_CONDITIONS)[number]

export interface Seen {
  readonly isHere: boolean
  readonly supervised: boolean
  readonly processes: number
}

export function conditionOf(run: Run, { isHere, supervised, processes }: Seen): RunCondition {
  if (run.kind === 'manual') return 'manual'
  if (!isHere) return 'elsewhere'
  if (run.identity === null) return 'starting'
  if (!supervised) return processes > 0 ? 'orphaned' : 'gone'
  if (run.terminatingAt !== null || run.intent !== null) return 'ending'
  return processes > 0 ? 'working' : 'settling'
}
