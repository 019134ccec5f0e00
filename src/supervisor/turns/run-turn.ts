/** One turn of a run: the agent's process, from its start to the moment in which nothing of it is left. */
import { boundLog } from '../../runs/log/bound-log.ts'
import { loadHarness } from '../../harnesses/index.ts'
import type { KeptFiles } from '../../harnesses/keep-files.ts'
import type { Started } from '../../processes/spawn.ts'
import type { Activity } from '../activity.ts'
import { runtimeAlarm } from '../alarm.ts'
import type { EndCauses } from '../end-causes.ts'
import { endAgent, earlierCause, shutdownCause } from '../end-agent.ts'
import type { Cause, Cut } from '../end-agent.ts'
import type { OutputMonitor } from './output-monitor.ts'
import type { CheckRunner } from '../check-runner.ts'
import type { TurnTimeout } from './turn-timeout.ts'
import type { ConnectedRun } from '../supervised-run.ts'
import type { Ending } from '../settle.ts'
import { CannotStart, startAgent } from '../start-agent.ts'
import type { AgentRequest } from '../start-agent.ts'

/** What a supervisor knows of its run while it lives. */
export interface Supervision {
  readonly causes: EndCauses<Cut>
  readonly checkRunner: CheckRunner
  readonly activity: Pick<Activity, 'begin'>
  readonly monitor: OutputMonitor
  readonly turnTimeout: TurnTimeout
}

/**
 * How the run ended, once nothing of it is left; null when it is not ours to settle. `prepare` may find that the run is
 * to end instead.
 */
export async function runTurn(
  owned: ConnectedRun,
  supervision: Supervision,
  prepare: (signal: AbortSignal) => Promise<AgentRequest | Cut>,
): Promise<Ending | null> {
  const { causes, checkRunner, activity, monitor } = supervision
  const abandoned = new AbortController()
  let started: Started
  let kept: KeptFiles | null = null
  try {
    const request = await Promise.race([prepare(abandoned.signal), causes.next()])
    if ('kind' in request) return await endAgent(owned, null, request)
    await monitor.beginTurn((await loadHarness(owned.ticket.harness))?.readLine ?? null)
    kept = await keep(request, owned)
    started = await startAgent(request)
  } catch (error) {
    await kept?.stop()
    return notStarted(error)
  } finally {
    abandoned.abort()
  }
  activity.begin()
  checkRunner.agentLives = true
  // Only now: time that went by before there was an agent ends nothing that was not begun.
  const alarm = runtimeAlarm(owned, () => causes.add({ kind: 'timed_out' }))
  const log = boundLog(owned.directory.log, { maxBytes: owned.ticket.logMaxBytes })
  try {
    const startTime = owned.host.processes.read(started.pid)?.startTime ?? ''
    const ended = await earlierCause(owned, await endOfTurn(started, supervision))
    const cause = await shutdownCause(owned, ended, causes)
    const ending = await endAgent(owned, { pid: started.pid, startTime }, cause)
    return ending === null ? null : await monitor.endTurn(ending)
  } finally {
    await kept?.stop()
    await log.stop()
    alarm.stop()
  }
}

/** Few programs write to what is not theirs; the others load nothing for it. */
const keep = async ({ keeps = [] }: AgentRequest, { directory }: ConnectedRun): Promise<KeptFiles | null> =>
  keeps.length === 0 ? null : (await import('../../harnesses/keep-files.ts')).keepFiles(keeps, directory)

/** An agent that ended while it is being checked is not done with: unless the run is ended, the answer is awaited. */
async function endOfTurn({ exited }: Started, { causes, checkRunner, turnTimeout }: Supervision): Promise<Cause> {
  const overdue = turnTimeout.beginTurn()
  const checked = exited.then(async (exit): Promise<Cause> => {
    checkRunner.agentLives = false
    await checkRunner.idle()
    return { kind: 'exited', exit }
  })
  const cause = await Promise.race([checked, causes.next(), overdue])
  turnTimeout.endTurn()
  if (cause.kind === 'overdue') checkRunner.agentLives = false
  else if (cause.kind !== 'exited') void checkRunner.close()
  return cause
}

/** A disk or a store that fails us is no failure of the agent. */
export function notStarted(error: unknown): Ending {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof CannotStart
    ? { how: 'spawn_failed', error: message }
    : { how: 'interrupted', error: `its supervisor could not prepare the run: ${message}` }
}
