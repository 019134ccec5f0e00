/**
 * Records late changes. A process of a run saves a change as a file if its supervisor is gone. When the run has ended,
 * the dispatcher records these changes.
 */
import type { RunId, TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { deleteLateWrite, readLateWrites } from '../../runs/files/late-writes.ts'
import type { LateWrite } from '../../runs/files/late-writes.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'

/** The maximum number of saved changes that one pass records. */
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
    // The store may accept the change later. All later changes wait as well, so that the order stays the same.
    if (!outcome.ok && outcome.error.retryable) return
    // A refused change stays on the disk, and later changes of the same run wait for it.
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
 * The card on which to record the change. Null means that the run is still open or its board does not exist. In that
 * case, a later pass records the change.
 */
async function locate(store: Store, write: Pick<LateWrite, 'run' | 'task'>): Promise<WriteLocation | null> {
  const runId = write.run
  const run = await store.run(runId)
  if (run !== null) return run.endedAt === null ? null : { board: run.board, task: run.taskId, runId }
  // The store does not know the run, because it was restored from an older backup. But the store may have the card.
  const [task] = write.task === null ? [] : await store.tasksById([write.task])
  const board = task?.board ?? (await store.boards())[0]?.slug
  return board === undefined ? null : { board, task: task?.id ?? null, runId }
}
