/** Records the writes of runs whose supervisor was gone, once those runs have ended. */
import { RUN_ID } from '../core/ids.ts'
import type { RunId } from '../core/ids.ts'
import { deleteLateWrite, readLateWrites } from '../workers/late-writes.ts'
import { DISPATCHER } from './actor.ts'
import type { Leading } from './dispatching.ts'

/** The most in one pass. */
const MOST = 100

export async function recordLateWrites({ store, options }: Leading): Promise<void> {
  for (const write of await readLateWrites(options.home, MOST)) {
    const run = RUN_ID.test(write.run) ? await store.run(write.run as RunId) : null
    // A later pass records it: its run is about to be recovered.
    if (run !== null && run.endedAt === null) continue
    if (run !== null) {
      const input = { task: run.taskId, runId: run.id, verb: write.verb, content: write.content }
      const recorded = await store.decide({ verb: 'record_late_write', board: run.board, actor: DISPATCHER, input })
      // The later writes wait too, so that all are recorded in order.
      if (!recorded.ok && recorded.error.retryable) return
    }
    await deleteLateWrite(write)
  }
}
