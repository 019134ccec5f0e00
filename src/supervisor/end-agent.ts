/** Ends the agent of a run for a given cause. If the agent has already exited, the exit decides how the run ended. */
import { readExit, wasCutOff } from '../runs/files/exit-file.ts'
import type { ProcessExit } from '../processes/spawn.ts'
import { endedByShutdown } from '../processes/shutdown.ts'
import { SILENT, overtime } from './termination.ts'
import type { Termination } from './termination.ts'
import type { Failure } from '../harnesses/stream/entry.ts'
import type { GroupLeader } from '../processes/group.ts'
import type { EndCauses } from './end-causes.ts'
import { endGroup } from './end-group.ts'
import type { SupervisedRun } from './supervised-run.ts'
import type { Ending } from '../core/transitions/settlement/input.ts'

/** Why a supervisor ends a run while its agent may be working. */
export type Cut =
  | { readonly kind: 'superseded' | 'intent' | 'timed_out' | 'stale' | 'shutdown' | 'cut_off' }
  /** The agent has waited too long for a limit of its account, or its conversation stays too long for the model. */
  | { readonly kind: 'stuck'; readonly failure: Failure }

/** Why a turn is over. */
export type Cause =
  | Cut
  | { readonly kind: 'exited'; readonly exit: ProcessExit }
  /** The agent did not exit after its verdict. */
  | { readonly kind: 'overdue' }

/**
 * Waits until all processes of the run are gone, and returns how the run ended. `wrapper` is null if the run started no
 * agent.
 */
export async function endAgent(
  owned: SupervisedRun,
  wrapper: GroupLeader | null,
  cause: Cause,
): Promise<Ending | null> {
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
    case 'shutdown':
      return cutShort(owned, wrapper, 'interrupted', { how: 'interrupted', error: 'the supervisor was asked to stop' })
    case 'stuck': {
      const { kind, message: error, retryAt } = cause.failure
      if (kind === 'context_overflow')
        return cutShort(owned, wrapper, 'overflowing', { how: 'exited', ...NO_EXIT, error })
      return cutShort(owned, wrapper, 'rate_limited', { how: 'rate_limited', error, retryAt })
    }
    case 'cut_off':
      return cutShort(owned, wrapper, null, CUT_OFF)
  }
}

/** The supervisor ended the agent, so there is no exit status. */
const NO_EXIT = { exitCode: null, signal: null }

const exitOf = ({ code: exitCode, signal }: ProcessExit): Pick<Ending, 'exitCode' | 'signal'> => ({ exitCode, signal })

/** The ending if the watchdog ended the agent. The exit status is then not the agent's own. */
const CUT_OFF: Ending = { how: 'interrupted', error: 'the store was unreachable for too long' }

/** Returns the cause that came first: the given cause, unless the agent exited or the watchdog ended it before. */
export async function earlierCause({ directory, fence }: SupervisedRun, cause: Cause): Promise<Cause> {
  if (cause.kind === 'superseded' || cause.kind === 'intent') return cause
  if (await wasCutOff(directory)) return { kind: 'cut_off' }
  const exit = await readExit(directory, fence)
  if (exit === null || (cause.kind === 'shutdown' && endedByShutdown(exit))) return cause
  return { kind: 'exited', exit }
}

/**
 * Finds out whether a shutdown ended the agent. During a shutdown, the system signals both the agent and this
 * supervisor. So the agent has not failed if a signal ended it and this supervisor gets a signal within the grace time.
 */
export async function shutdownCause({ ticket }: SupervisedRun, cause: Cause, causes: EndCauses<Cut>): Promise<Cause> {
  if (cause.kind !== 'exited' || !endedByShutdown(cause.exit)) return cause
  return (await causes.arrivesWithin('shutdown', ticket.terminateGraceMs)) ? { kind: 'shutdown' } : cause
}

/** If no process had to be ended, the agent has exited on its own, and its exit status counts. */
async function cutShort(
  owned: SupervisedRun,
  wrapper: GroupLeader | null,
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
