import { setTimeout as sleep } from 'node:timers/promises'
import type { Identity, Run } from '../../core/run.ts'
import { isAlive } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import type { Termination } from '../../supervisor/termination.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'

const LOOK_MS = 20

/**
 * Kills a supervisor that hangs, so that its run can be recovered. Returns whether the supervisor is gone. The run is
 * marked first, so that the exit status does not count as the agent's own. If the store refuses the mark, the
 * supervisor is not killed.
 */
export async function endSupervisor(context: LeaderContext, run: Run, reason: Termination): Promise<boolean> {
  const { store, host, options } = context
  const { identity } = run
  if (identity === null || !isAlive(host, identity)) return true
  const input = { task: run.taskId, fence: { runId: run.id, tokenHash: run.tokenHash ?? '' }, reason }
  const marked = await store.decide({ verb: 'terminating', board: run.board, actor: DISPATCHER_ACTOR, input })
  return marked.ok && killSupervisor(host, identity, options.killWaitMs)
}

/** Kills the supervisor. Returns whether the supervisor ended in time. */
export async function killSupervisor(host: Host, identity: Identity, killWaitMs: number): Promise<boolean> {
  const deadline = performance.now() + killWaitMs
  while (isAlive(host, identity)) {
    if (performance.now() >= deadline) return false
    host.processes.signal(identity.pid, 'SIGKILL')
    await sleep(LOOK_MS)
  }
  return true
}
