/**
 * Why a run's processes are being ended. The word stands on the run before the first signal, so whoever finishes the
 * job, this process or a later one, knows what the exit status of a killed agent is worth.
 */
export const TERMINATIONS = {
  /** It ran longer than it may. */
  timed_out: 'timed_out',
  /** A person's verb on the live run. */
  intent: 'intent',
  /** The supervisor was asked to stop, or lost the store. */
  interrupted: 'interrupted',
  /** The agent had ended and left processes behind: its exit status stands. */
  leftovers: 'leftovers',
} as const
export type Termination = keyof typeof TERMINATIONS
