/**
 * Why a run's processes are being ended. The word stands on the run before the first signal, so whoever finishes the
 * job, this process or a later one, knows what the exit status of a killed agent is worth.
 */
import type { Run } from '../core/run.ts'

export const TERMINATIONS = {
  /** It ran longer than it may. */
  timed_out: 'timed_out',
  /** Its agent was silent for longer than it may be. */
  stale: 'stale',
  /** It waited out a limit of its account by itself, for too long. */
  rate_limited: 'rate_limited',
  /** Its conversation was too long and did not get shorter. */
  overflowing: 'overflowing',
  /** A person's verb on the live run. */
  intent: 'intent',
  /** The supervisor was asked to stop, or lost the store. */
  interrupted: 'interrupted',
  /** The agent had ended and left processes behind: its exit status stands. */
  leftovers: 'leftovers',
} as const
export type Termination = keyof typeof TERMINATIONS

/** What is said of a run that was ended for its length. */
export const overtime = ({ maxRuntimeMs }: Pick<Run, 'maxRuntimeMs'>): string =>
  `ran longer than the ${(maxRuntimeMs ?? 0) / 1000} s it may`

/** What is said of a run that was ended for its silence. */
export const SILENT = 'its agent was silent for longer than it may be'
