/** Runs one turn: starts the agent's process and waits until all its processes are gone. */
import { boundLog } from '../../runs/log/bound-log.ts'
import { loadHarness } from '../../harnesses/index.ts'
import type { FileRestorer } from '../../harnesses/restore-changed-files.ts'
import type { StartedProcess } from '../../processes/spawn.ts'
import type { Activity } from '../activity.ts'
import { runtimeAlarm } from '../alarm.ts'
import type { EndCauses } from '../end-causes.ts'
import { endAgent, earlierCause, shutdownCause } from '../end-agent.ts'
import type { Cause, Cut } from '../end-agent.ts'
import type { OutputMonitor } from './output-monitor.ts'
import type { CheckRunner } from '../check-runner.ts'
import type { TurnTimeout } from './turn-timeout.ts'
import type { ConnectedRun } from '../supervised-run.ts'
import type { Ending } from '../../core/transitions/settlement/input.ts'
import { CannotStart, startAgent } from '../start-agent.ts'
import type { AgentRequest } from '../start-agent.ts'

/** The parts of a supervisor that watch its run. */
export interface Supervision {
  readonly causes: EndCauses<Cut>
  readonly checkRunner: CheckRunner
  readonly activity: Pick<Activity, 'begin'>
  readonly monitor: OutputMonitor
  readonly turnTimeout: TurnTimeout
}

/** A running agent, and the user's files that its CLI changes during the turn. */
interface StartedTurn {
  readonly agent: StartedProcess
  readonly restorer: FileRestorer | null
}

type PrepareTurn = (signal: AbortSignal) => Promise<AgentRequest | Cut>

/**
 * Runs the turn and returns how it ended, or null if another process settles the run. `prepare` may return a reason to
 * end the run instead of an agent to start.
 */
export async function runTurn(
  owned: ConnectedRun,
  supervision: Supervision,
  prepare: PrepareTurn,
): Promise<Ending | null> {
  const turn = await startTurn(owned, supervision, prepare)
  if ('ended' in turn) return turn.ended
  const watchers = watchTurn(owned, supervision, turn)
  try {
    const wrapper = { pid: turn.agent.pid, startTime: owned.host.processes.read(turn.agent.pid)?.startTime ?? '' }
    const cause = await causeOfEnd(owned, supervision, turn)
    const ending = await endAgent(owned, wrapper, cause)
    return ending === null ? null : await supervision.monitor.endTurn(ending)
  } finally {
    await watchers.stop()
  }
}

async function startTurn(
  owned: ConnectedRun,
  { causes, monitor }: Supervision,
  prepare: PrepareTurn,
): Promise<StartedTurn | { readonly ended: Ending | null }> {
  const abandoned = new AbortController()
  let restorer: FileRestorer | null = null
  try {
    const request = await Promise.race([prepare(abandoned.signal), causes.next()])
    if ('kind' in request) return { ended: await endAgent(owned, null, request) }
    await monitor.beginTurn((await loadHarness(owned.ticket.harness))?.readLine ?? null)
    restorer = await restoreUserFiles(request, owned)
    return { agent: await startAgent(request), restorer }
  } catch (error) {
    await restorer?.stop()
    return { ended: notStarted(error) }
  } finally {
    abandoned.abort()
  }
}

/**
 * Watches the turn from the start of the agent, because earlier silence does not count. The time limit counts from the
 * guard, but can end the run only during a turn.
 */
function watchTurn(
  owned: ConnectedRun,
  { activity, checkRunner, causes }: Supervision,
  { restorer }: StartedTurn,
): { stop(): Promise<void> } {
  activity.begin()
  checkRunner.agentLives = true
  const alarm = runtimeAlarm(owned, () => causes.add({ kind: 'timed_out' }))
  const log = boundLog(owned.directory.log, { maxBytes: owned.ticket.logMaxBytes })
  return {
    async stop() {
      await restorer?.stop()
      await log.stop()
      alarm.stop()
    },
  }
}

async function causeOfEnd(owned: ConnectedRun, supervision: Supervision, { agent }: StartedTurn): Promise<Cause> {
  const first = await firstCause(agent, supervision)
  return shutdownCause(owned, await earlierCause(owned, first), supervision.causes)
}

/** Restores the user's files. Few CLIs change such files, so the code is loaded only when needed. */
async function restoreUserFiles(
  { unwantedChanges = [] }: AgentRequest,
  { directory }: ConnectedRun,
): Promise<FileRestorer | null> {
  if (unwantedChanges.length === 0) return null
  const { restoreChangedFiles } = await import('../../harnesses/restore-changed-files.ts')
  return restoreChangedFiles(unwantedChanges, directory)
}

/**
 * Returns the first cause that ends the turn. If the agent exits while its checks run, their outcome ends the turn,
 * unless another cause ends the run.
 */
async function firstCause(
  { exited }: StartedProcess,
  { causes, checkRunner, turnTimeout }: Supervision,
): Promise<Cause> {
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

/**
 * The ending if the agent was not started. A failure of the disk or the store does not count as a failure of the agent.
 */
export function notStarted(error: unknown): Ending {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof CannotStart
    ? { how: 'spawn_failed', error: message }
    : { how: 'interrupted', error: `its supervisor could not prepare the run: ${message}` }
}
