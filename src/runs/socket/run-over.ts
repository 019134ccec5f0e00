import { BoardError } from '../../core/errors.ts'

/** Also for whoever inherited a run's name without its nonce: the agent of another agent, a shell that was left over. */
export const runOver = (run: string, cause?: unknown): BoardError =>
  new BoardError(
    'run_over',
    `Nothing can be said for run ${run}: it is over, or this process was not given its nonce.`,
    { details: { runId: run }, cause },
  )
