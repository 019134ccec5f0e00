import { unwrap } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import type { RunId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import type { TaskView } from '../storage/store.ts'
import { newRunId } from '../util/mint.ts'
import { nudgeRun } from '../workers/run-directory.ts'
import { waitUntil } from '../workers/wait-until.ts'
import type { CommandContext } from './operation.ts'
import { defineOperation } from './operation.ts'
import { resolveTask } from './resolve-task.ts'
import type { TaskAddress } from './resolve-task.ts'

const LOOK_MS = 1_000

export const completeTask = defineOperation({
  name: 'complete',
  kind: 'command',
  actor: 'worker',
  summary: 'Say that a card is finished.',
  schemas: () => import('./complete-task.schema.ts'),
  run: async (context, { task: typed, summary, result, metadata }) => {
    const { store, actor } = context
    const address = await resolveTask(store, typed)
    const said = { task: address.id, runId: newRunId(), summary, result, metadata }
    const outcome = unwrap(await store.decide({ verb: 'complete', board: address.board, actor, input: said }))
    if (!outcome.pending || outcome.runId === null) return finished(context, address)
    const run = await awaitSettlement(context, address, outcome.runId)
    const task = await finished(context, address)
    if (run.outcome !== 'completed') throw notCompleted(task, run)
    return task
  },
})

/** The run's own supervisor ends it and applies what was asked; that takes a moment. */
async function awaitSettlement({ store, options }: CommandContext, { id }: TaskAddress, runId: RunId): Promise<Run> {
  nudgeRun(options.home, runId)
  const ended = async (): Promise<Run | null> => {
    const run = await store.run(runId)
    return run?.endedAt == null ? null : run
  }
  const run = await waitUntil(store, ended, { forMs: options.intentWaitMs, everyMs: LOOK_MS })
  if (run === null)
    throw new BoardError('pending', `Card ${id} is still running: it will be completed when run ${runId} has ended.`, {
      details: { id, runId },
    })
  return run
}

/** Somebody else's word came later and counts, or its checks did not pass. */
function notCompleted({ id, status, blockReason }: TaskView, run: Run): BoardError {
  const why = (status === 'blocked' ? blockReason : null) ?? run.error ?? run.summary
  return new BoardError(
    'wrong_status',
    `Card ${id} was not completed: its run ended ${run.outcome ?? 'unsettled'}, and the card is ${status}${why === null ? '' : ` (${why})`}.`,
    { details: { id, status, runId: run.id, outcome: run.outcome } },
  )
}

async function finished({ store }: CommandContext, { board, id }: TaskAddress): Promise<TaskView> {
  const task = await store.task(board, id)
  if (task === null) throw new BoardError('task_not_found', `Card ${id} was deleted meanwhile.`, { details: { id } })
  return task
}
