/**
 * Runs of this machine that lost their supervisor, or never had one. The exit file comes first: an agent that ended by
 * itself is judged by how it ended. Without one its processes are ended and the run is `interrupted`, nobody's failure.
 * Of another machine's run nothing can be seen but its lease: when that is over, the run is `interrupted` too.
 */
import { dirname } from 'node:path'
import { leaseExpired, missedStart } from '../core/lease.ts'
import type { Fence, Run } from '../core/run.ts'
import type { InputOf } from '../core/transitions/index.ts'
import { readExit } from '../workers/exit-file.ts'
import { isAlive } from '../workers/identity.ts'
import { readLogTail } from '../workers/log-tail.ts'
import { runDirectoryAt } from '../workers/run-directory.ts'
import type { RunDirectory } from '../workers/run-directory.ts'
import { removeSocket } from '../workers/run-socket/address.ts'
import type { ProcessExit } from '../workers/spawn.ts'
import { TERMINATIONS, overtime } from '../workers/termination.ts'
import { readTicket } from '../workers/ticket.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'
import { endLostGroup } from './end-lost-group.ts'
import type { Deferral, SettledRun } from './report.ts'

type Ending = InputOf<'settle'>['ending']

export interface Recovered {
  readonly settled: readonly SettledRun[]
  readonly deferred: readonly Deferral[]
}

/** All at once: one group that ends slowly does not hold up the others, nor does one that cannot be recovered. */
export async function recover(leading: Leading): Promise<Recovered> {
  const now = await leading.store.now()
  const runs = (await leading.store.openRuns(null)).filter(({ kind }) => kind === 'agent')
  const found = await Promise.all(
    runs.filter((run) => isLost(leading, run, now)).map((run) => recoverOrDefer(leading, run)),
  )
  return {
    settled: found.flatMap((one) => (one !== null && 'outcome' in one ? [one] : [])),
    deferred: found.flatMap((one) => (one !== null && 'reason' in one ? [one] : [])),
  }
}

/** A lease counts for strangers only: on its own machine one looks at the process. */
export function isLost({ host }: Pick<Leading, 'host'>, run: Run, now: number): boolean {
  if (run.machine !== host.machine.id) return leaseExpired(run, now)
  return run.identity === null ? missedStart(run, now) : !isAlive(host, run.identity)
}

async function recoverOrDefer(leading: Leading, run: Run): Promise<SettledRun | Deferral | null> {
  try {
    return await (run.machine === leading.lead.machine ? recoverRun(leading, run) : recoverForeign(leading, run))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { id: run.taskId, reason: `Run ${run.id} was lost and could not be closed: ${why}` }
  }
}

/** Its files and processes are not ours to look at. The store refuses if its supervisor was heard after all. */
async function recoverForeign(leading: Leading, seen: Run): Promise<SettledRun | null> {
  const run = await leading.store.run(seen.id)
  if (run === null || run.endedAt !== null) return null
  const error = `its machine (${run.machine ?? 'unknown'}) was not heard from until its lease was over`
  return settleRun(leading, run, { how: 'interrupted', error }, null)
}

async function recoverRun(leading: Leading, seen: Run): Promise<SettledRun | Deferral | null> {
  // A supervisor that settles and ends between our two looks is not lost. Now that it is gone, the row is final.
  const run = await leading.store.run(seen.id)
  if (run === null || run.endedAt !== null) return null
  if (run.identity === null) return settleRun(leading, run, unstarted(leading, run), null)
  if (seen.identity === null) return null

  const fence: Fence = { runId: run.id, tokenHash: run.tokenHash ?? '' }
  const directory = directoryOf(run)
  const exit = directory === null ? null : await readExit(directory, fence)
  const ending = endingOf(run, exit)
  const left = await endLostGroup(leading, run, {
    directory,
    fence,
    reason: ending.how === 'exited' ? 'leftovers' : 'interrupted',
  })
  if (left.length > 0)
    return {
      id: run.taskId,
      reason: `Processes of ${run.id} cannot be ended: ${left.map(({ pid }) => pid).join(', ')}.`,
    }
  if (run.socketPath !== null) await removeSocket(run.socketPath)
  return settleRun(leading, run, ending, directory)
}

/** The files lie beside the log, wherever the home of the supervisor was. */
const directoryOf = (run: Run): RunDirectory | null =>
  run.logPath === null ? null : runDirectoryAt(dirname(run.logPath))

/** The failure of a supervisor that never came is the agent's only when its dispatcher lived to see it. */
function unstarted({ host }: Leading, run: Run): Ending {
  const orphaned = run.dispatcher === null || !isAlive(host, run.dispatcher)
  return orphaned
    ? { how: 'interrupted', error: 'its dispatcher ended before the supervisor had registered' }
    : { how: 'spawn_failed', error: 'its supervisor did not register in time' }
}

/** An exit status counts unless somebody was already ending the agent: then it tells of that, not of the work. */
function endingOf(run: Run, exit: ProcessExit | null): Ending {
  const ownEnd = run.terminatingReason === null || run.terminatingReason === TERMINATIONS.leftovers
  if (exit !== null && ownEnd) return { how: 'exited', exitCode: exit.code, signal: exit.signal }
  if (run.terminatingReason === TERMINATIONS.timed_out) return { how: 'timed_out', error: overtime(run) }
  return { how: 'interrupted', error: `its supervisor (pid ${run.identity?.pid ?? '?'}) was lost` }
}

async function settleRun(
  { store, lead }: Leading,
  run: Run,
  ending: Ending,
  directory: RunDirectory | null,
): Promise<SettledRun | null> {
  const ticket = directory === null ? null : await readTicket(directory)
  const settled = await store.decide({
    verb: 'settle',
    board: run.board,
    actor: DISPATCHER,
    input: {
      task: run.taskId,
      runId: run.id,
      by: { machine: lead.machine, dispatcherTokenHash: lead.tokenHash, unregistered: run.identity === null },
      ending,
      completesOnExit: ticket?.completesOnExit ?? false,
      lastWords: directory === null ? null : await readLogTail(directory.log),
    },
  })
  if (!settled.ok) return null
  const { outcome, status } = settled.result
  return { id: run.taskId, board: run.board, runId: run.id, outcome, status }
}
