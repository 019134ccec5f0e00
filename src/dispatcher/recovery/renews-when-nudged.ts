import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../core/run.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import type { LeaderContext } from '../dispatch-context.ts'

const LOOK_MS = 50
const WAIT_MS = 2_000

/**
 * Whether the supervisor of a run still responds. If the store was unreachable for some time, the supervisor may be
 * waiting before its next attempt to renew the lease. A nudge makes it try at once.
 */
export async function renewsWhenNudged({ store, options }: LeaderContext, run: Run): Promise<boolean> {
  nudgeRun(options.home, run.id)
  for (const deadline = performance.now() + Math.min(WAIT_MS, options.takeOverMs); ; await sleep(LOOK_MS)) {
    const now = await store.run(run.id)
    if (now === null || now.endedAt !== null || now.leaseUntil !== run.leaseUntil) return true
    if (performance.now() >= deadline) return false
  }
}
