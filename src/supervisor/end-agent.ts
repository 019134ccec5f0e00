/** What a run comes to when there is a cause to end it. An agent that ended by itself first is judged by how it ended. */
import { readExit, wasCutOff } from '../runs/files/exit-file.ts'
import type { ProcessExit } from '../processes/spawn.ts'
import { endedByShutdown } from '../processes/shutdown.ts'
import { SILENT, overtime } from './termination.ts'
import type { Termination } from './termination.ts'
import type { Failure } from '../harnesses/stream/entry.ts'
import type { Leader } from '../processes/group.ts'
import type { EndCauses } from './end-causes.ts'
import { endGroup } from './end-group.ts'
import type { SupervisedRun } from './supervised-run.ts'
import type { Ending } from './settle.ts'

/** Why a run is ended, whatever its agent is about. */
export type Cut =
  | { readonly kind: 'superseded' | 'intent' | 'timed_out' | 'stale' | 'asked' | 'cut_off' }
  /** It waits out a limit of its account, for longer than a slot is kept for that; or it repeats what must fail. */
  | { readonly kind: 'walled'; readonly failure: Failure }

/** Why a turn is over. How its agent exited belongs to that turn alone. */
export type Cause =
  | Cut
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  /** It has given its verdict, and did not end. */
  | { readonly kind: 'overdue' }

/** How the run ended, once nothing of it is left. `wrapper` null: no agent was started. */
export async function endAgent(owned: SupervisedRun, wrapper: Leader | null, cause: Cause): Promise<Ending | null> {
  switch (cause.kind) {
    case 'exited':
    case 'overdue': {
      await endGroup(owned, wrapper, 'leftovers')
      const exit = cause.kind === 'exited' ? exitOf(cause.exit) : NO_EXIT
      return { how: 'exited', ...exit }
    }
    case 'superseded':
      await endGroup(owned, wrapper, null)
      return null
    case 'intent':
      await endGroup(owned, wrapper, 'intent')
      return { how: 'stopped' }
    case 'timed_out':
      return cutShort(owned, wrapper, 'timed_out', { how: 'timed_out', error: overtime(owned.run) })
    case 'stale':
      return cutShort(owned, wrapper, 'stale', { how: 'stale', error: SILENT })
    case 'asked':
      return cutShort(owned, wrapper, 'interrupted', { how: 'interrupted', error: 'the supervisor was asked to stop' })
    case 'walled': {
      const { kind, message: error, retryAt } = cause.failure
      if (kind === 'context_overflow')
        return cutShort(owned, wrapper, 'overflowing', { how: 'exited', ...NO_EXIT, error })
      return cutShort(owned, wrapper, 'rate_limited', { how: 'rate_limited', error, retryAt })
    }
    case 'cut_off':
      return cutShort(owned, wrapper, null, CUT_OFF)
  }
}

/** It ended because we ended it: there is no status of its own. */
const NO_EXIT = { exitCode: null, signal: null }

const exitOf = ({ code: exitCode, signal }: ProcessExit): Pick<Ending, 'exitCode' | 'signal'> => ({ exitCode, signal })

/** By us, or by the watchdog while we could not: whatever the exit status says, it was not the agent's own end. */
const CUT_OFF: Ending = { how: 'interrupted', error: 'the store was not reached for most of a lease' }

/** What had happened before we came to end anything counts: the agent ended by itself, or the watchdog ended it. */
export async function earlierCause({ directory, fence }: SupervisedRun, cause: Cause): Promise<Cause> {
  if (cause.kind === 'superseded' || cause.kind === 'intent') return cause
  if (await wasCutOff(directory)) return { kind: 'cut_off' }
  const exit = await readExit(directory, fence)
  if (exit === null || (cause.kind === 'asked' && endedByShutdown(exit))) return cause
  return { kind: 'exited', exit }
}

/**
 * If a shutdown signal ended the agent and this supervisor gets one within the grace time, the system is shutting down and
 * the agent did not fail.
 */
export async function shutdownCause({ ticket }: SupervisedRun, cause: Cause, causes: EndCauses<Cut>): Promise<Cause> {
  if (cause.kind !== 'exited' || !endedByShutdown(cause.exit)) return cause
  return (await causes.arrivesWithin('asked', ticket.terminateGraceMs)) ? { kind: 'asked' } : cause
}

/** Where there was nothing left to end, the agent has ended by itself after all. */
async function cutShort(
  owned: SupervisedRun,
  wrapper: Leader | null,
  why: Termination | null,
  ending: Ending,
): Promise<Ending> {
  const { directory, fence } = owned
  const ended = await endGroup(owned, wrapper, why)
  const isOurs = ended || wrapper === null || (await wasCutOff(directory))
  const exit = isOurs ? null : await readExit(directory, fence)
  const isShutdown = exit !== null && why === 'interrupted' && endedByShutdown(exit)
  return exit === null || isShutdown ? ending : { how: 'exited', ...exitOf(exit) }
}
