/**
 * The reasons for which Muster ends the processes of a run. The reason is recorded before the first signal. So the
 * process that settles the run can interpret the exit status of the killed agent.
 */
import type { Run } from '../core/run.ts'

export const TERMINATIONS = {
  /** The run exceeded its time limit. */
  timed_out: 'timed_out',
  /** The agent made no progress for too long. */
  stale: 'stale',
  /** The agent waited too long for a limit of its account. */
  rate_limited: 'rate_limited',
  /** The agent's conversation stayed too long for the model. */
  overflowing: 'overflowing',
  /** A person ended the run. */
  intent: 'intent',
  /** The supervisor got a shutdown signal, or lost the store. */
  interrupted: 'interrupted',
  /** The agent exited but left processes behind. The exit status of the agent counts. */
  leftovers: 'leftovers',
} as const
export type Termination = keyof typeof TERMINATIONS

/** The error of a run that exceeded its time limit. */
export const overtime = ({ maxRuntimeMs }: Pick<Run, 'maxRuntimeMs'>): string =>
  `exceeded its time limit of ${(maxRuntimeMs ?? 0) / 1000} s`

/** The error of a run whose agent was silent for too long. */
export const SILENT = 'its agent showed no activity for too long'
