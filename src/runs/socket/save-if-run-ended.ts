/** Saves the change of a process whose run has no supervisor any more. */
import type { InsideRun } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { saveLateWrite } from '../files/late-writes.ts'

/** The commands that are not saved, because they only show that a worker is alive. */
const HEARTBEATS: readonly string[] = ['heartbeat', 'kanban_heartbeat']

/**
 * Saves the change if possible. Returns the error for the caller: the given error, or a new one if the change was
 * saved.
 */
export async function saveIfRunEnded(
  error: BoardError,
  run: InsideRun,
  { verb, content }: { readonly verb: string; readonly content: unknown },
): Promise<BoardError> {
  // Only an error of the connection has a cause. After any other error, the supervisor may already have the change.
  if (error.cause === undefined || HEARTBEATS.includes(verb) || !(await saveLateWrite(run, verb, content))) return error
  return new BoardError(
    'run_over',
    `Run ${run.run} is over: stop working on it. Nothing was changed; your input is kept in the history.`,
    {
      details: { ...error.details, kept: true },
      cause: error,
    },
  )
}
