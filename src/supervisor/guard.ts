/** The first step of a supervisor: it proves that it owns the run, and registers its identity. */
import { hostname } from 'node:os'
import { workspacePath } from '../workspaces/workspace.ts'
import { ownIdentity } from '../processes/identity.ts'
import { lastNudge } from '../runs/files/run-directory.ts'
import type { ClaimedRun, SupervisedRun } from './supervised-run.ts'
import { SUPERVISOR } from './supervised-run.ts'
import { retryUntilAvailable } from './retry.ts'

/** How long the guard retries. The start deadline of a run is always earlier, and then a dispatcher closes the run. */
const GUARD_MS = 60_000

/**
 * Registers this supervisor. Returns null if another process owns the run or the run is over. Null is the normal result
 * of a lost race and not an error.
 */
export async function guard(claim: ClaimedRun): Promise<SupervisedRun | null> {
  const { store, ticket, directory, host, fence, socketPath } = claim
  const { board, home } = ticket
  return retryUntilAvailable(
    async () => {
      const nudgedAt = lastNudge(directory)
      const task = await store.task(board, ticket.task)
      if (task === null) return null
      const registered = await store.decide({
        verb: 'register',
        board,
        actor: SUPERVISOR,
        input: {
          task: task.id,
          fence,
          identity: ownIdentity(host),
          logPath: directory.log,
          socketPath,
          workspacePath: workspacePath(task.workspace, { home, board, task: task.id }),
          host: store.engine === 'postgres' ? hostname() : null,
        },
      })
      const run = registered.ok ? await store.run(fence.runId) : null
      return registered.ok && run !== null
        ? { ...claim, task, run, leaseMs: registered.result.leaseMs, guardedAt: performance.now(), nudgedAt }
        : null
    },
    { forMs: GUARD_MS },
  )
}
