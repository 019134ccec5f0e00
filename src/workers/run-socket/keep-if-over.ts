/** A process that speaks for a run after its supervisor is gone: nothing changes, and what it said is kept. */
import type { InsideRun } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { keepLateWord } from '../late-words.ts'

/** They only show that a worker is alive. */
const HEARTBEATS: readonly string[] = ['heartbeat', 'kanban_heartbeat']

/** The error that the caller throws: the given one, unless what was said could be kept. */
export async function keepIfOver(
  error: BoardError,
  run: InsideRun,
  { verb, content }: { readonly verb: string; readonly content: unknown },
): Promise<BoardError> {
  // A connection that broke may have been heard: only a supervisor that was never reached has heard nothing.
  if (error.cause === undefined || HEARTBEATS.includes(verb) || !(await keepLateWord(run, verb, content))) return error
  return new BoardError(
    'run_over',
    `Run ${run.run} is over: nothing was changed. What you said is kept with its card.`,
    {
      details: { ...error.details, kept: true },
      cause: error,
    },
  )
}
