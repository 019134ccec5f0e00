/**
 * Records late writes once their run has ended. Processes of a run save late writes after their supervisor was lost.
 */
import type { RunId, TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { deleteLateWrite, readLateWrites } from '../../runs/files/late-writes.ts'
import type { LateWrite } from '../../runs/files/late-writes.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'

/** The maximum number of writes that one pass records. */
const MOST = 100

export async function recordLateWrites({ store, options }: LeaderContext): Promise<void> {
  const waiting = new Set<RunId>()
  let tried = 0
  for await (const write of readLateWrites(options.home)) {
    if (waiting.has(write.run)) continue
    const place = await locate(store, write)
    if (place === null) {
      waiting.add(write.run)
      continue
    }
    const { board, ...about } = place
    const input = { ...about, verb: write.verb, content: write.content }
    const outcome = await store.decide({ verb: 'record_late_write', board, actor: DISPATCHER_ACTOR, input })
    // The store may accept the write later. All later writes wait as well, so that the order stays the same.
    if (!outcome.ok && outcome.error.retryable) return
    // A refused write is kept. Later writes of its run wait behind it.
    if (outcome.ok) await deleteLateWrite(write)
    else waiting.add(write.run)
    tried += 1
    if (tried === MOST) return
  }
}

interface WriteLocation {
  readonly board: string
  readonly task: TaskId | null
  readonly runId: RunId
}

/**
 * Where to record the write. Null if the run is still open or there is no board; a later pass then records the write.
 */
async function locate(store: Store, write: Pick<LateWrite, 'run' | 'task'>): Promise<WriteLocation | null> {
  const runId = write.run
  const run = await store.run(runId)
  if (run !== null) return run.endedAt === null ? null : { board: run.board, task: run.taskId, runId }
  // The store was restored from a backup that is older than the run, but it may have the card.
  const [task] = write.task === null ? [] : await store.tasksById([write.task])
  const board = task?.board ?? (await store.boards())[0]?.slug
  return board === undefined ? null : { board, task: task?.id ?? null, runId }
}
