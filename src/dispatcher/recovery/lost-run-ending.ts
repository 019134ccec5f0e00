/** Decides how a run without a supervisor ended, and with which error. */
import type { Run } from '../../core/run.ts'
import { endedByShutdown } from '../../processes/shutdown.ts'
import type { ProcessExit } from '../../processes/spawn.ts'
import { SILENT, TERMINATIONS, overtime } from '../../supervisor/termination.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import { isSameProcess } from './start-state.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'

const interrupted = (error: string): Ending => ({ how: 'interrupted', error })

/**
 * The ending of a run whose supervisor never registered. The run counts as failed only if the dispatcher that claimed
 * the card has been active ever since. Otherwise the store may have been unreachable, or the machine was off. If a
 * signal ended the supervisor, the run never counts as failed.
 */
export function unregisteredEnding({ leadership }: LeaderContext, run: Run): Ending {
  const { dispatcher, startedAt } = run
  const { runWatch } = leadership
  const startFault = runWatch.startFaultOf(run)
  if (startFault !== null) return interrupted(startFault)
  const exit = runWatch.exitOf(run)
  if (exit?.signal != null) return interrupted(`its supervisor was ended by ${exit.signal} before it registered`)
  const isOwn = dispatcher !== null && isSameProcess(dispatcher, leadership.identity)
  if (!isOwn || startedAt < leadership.since() || !leadership.isCurrent())
    return interrupted('its dispatcher ended or lost its leadership before the supervisor registered')
  if (!runWatch.wasStarted(run))
    return interrupted('the store did not confirm the claim, so its supervisor was not started')
  const error = exit === null ? 'its supervisor did not register in time' : 'its supervisor ended before it registered'
  return { how: 'spawn_failed', error }
}

/**
 * The ending of a run by its agent. The exit status of the agent counts, unless Muster was already ending the agent. If
 * a shutdown signal ended the agent and the supervisor is gone too, the system was shutting down.
 */
export function endingOf(run: Run, exit: ProcessExit | null): Ending {
  const isOwnExit = run.terminatingReason === null || run.terminatingReason === TERMINATIONS.leftovers
  if (exit !== null && isOwnExit && endedByShutdown(exit))
    return interrupted(`its agent was ended by ${exit.signal ?? 'a signal'}, and so was its supervisor`)
  if (exit !== null && isOwnExit) return { how: 'exited', exitCode: exit.code, signal: exit.signal }
  if (run.terminatingReason === TERMINATIONS.timed_out) return { how: 'timed_out', error: overtime(run) }
  if (run.terminatingReason === TERMINATIONS.stale) return { how: 'stale', error: SILENT }
  return interrupted(`its supervisor (pid ${run.identity?.pid ?? '?'}) was lost`)
}
