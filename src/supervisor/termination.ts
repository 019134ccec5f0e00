/**
 * Why a run's processes are being ended. The reason is recorded before the first signal, so the process that finishes
 * the job, this one or a later one, can interpret the exit status of a killed agent.
 */
import type { Run } from '../core/run.ts'

export const TERMINATIONS = {
  /** It exceeded its runtime limit. */
  timed_out: 'timed_out',
  /** Its agent printed nothing for too long. */
  stale: 'stale',
  /** It waited too long for a limit of its account. */
  rate_limited: 'rate_limited',
  /** Its conversation was too long and did not get shorter. */
  overflowing: 'overflowing',
  /** A person ended the live run. */
  intent: 'intent',
  /** The supervisor was asked to stop, or lost the store. */
  interrupted: 'interrupted',
  /** The agent exited and left processes behind: its exit status counts. */
  leftovers: 'leftovers',
} as const
export type Termination = keyof typeof TERMINATIONS

/** The error of a run that exceeded its runtime limit. */
export const overtime = ({ maxRuntimeMs }: Pick<Run, 'maxRuntimeMs'>): string =>
  `ran longer than the ${(maxRuntimeMs ?? 0) / 1000} s it may`

/** The error of a run whose agent was silent for too long. */
export const SILENT = 'its agent was silent for longer than it may be'
