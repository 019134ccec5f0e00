/**
 * The operations of a worker on its own card. They do not change the card. They record a verdict, which applies when
 * the run ends.
 */
import { unwrap } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import type { VerbInput } from '../core/transitions/index.ts'
import { cardNow } from '../operations/shared/act-on-card.ts'
import type { blockTask } from '../operations/cards/block-task.ts'
import type { completeTask } from '../operations/cards/complete-task.ts'
import { completeWithArtifacts } from '../operations/cards/complete-with-artifacts.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import type { recordHeartbeat } from '../operations/runs/record-heartbeat.ts'
import type { requestChanges } from '../operations/reviews/request-changes.ts'
import type { requestReview } from '../operations/reviews/request-review.ts'
import { requireWholeIds } from '../operations/shared/resolve-task.ts'
import type { TaskView } from '../storage/store.ts'
import type { Recorded } from '../runs/socket/protocol.ts'
import { removeVerdict, writeVerdict } from '../runs/files/verdict-file.ts'
import { answerVerdict } from './answer-verdict.ts'
import type { CheckRunner } from '../supervisor/check-runner.ts'
import type { SupervisedRun } from '../supervisor/supervised-run.ts'
import { retryUntilAvailable } from '../supervisor/retry.ts'
import type { OperationInput } from '../operations/shared/operation.ts'

export interface OwnWorker {
  readonly fence: SupervisedRun['fence']
  readonly directory: SupervisedRun['directory']
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  readonly turnTimeout: { start(): void }
  readonly task: TaskId
  readonly context: BoardContext
}

type Verdict = VerbInput<'verdict'>['verdict']

/** The time for retries while the store cannot be reached. The client waits a little longer than this. */
const RECORD_MS = 15_000

export const OWN_CARD: Readonly<Record<string, (worker: OwnWorker, input: never) => Promise<TaskView>>> = {
  complete: completeOwnCard,
  block: (worker, { reason, kind }: OperationInput<typeof blockTask>) =>
    giveVerdict(worker, { kind: 'block', reason, blockKind: kind }),
  'request-review': (worker, { summary, metadata, reviewer }: OperationInput<typeof requestReview>) =>
    giveVerdict(worker, { kind: 'request_review', summary, metadata, reviewer }),
  'request-changes': (worker, { reason, workers }: OperationInput<typeof requestChanges>) =>
    giveVerdict(worker, {
      kind: 'request_changes',
      reason,
      ...(workers.length === 0 ? {} : { workers: requireWholeIds(workers) }),
    }),
  heartbeat: heartbeatOwnCard,
}

/** Completes the worker's card. The artifacts are attached at once, so that they are kept even if the run fails. */
async function completeOwnCard(worker: OwnWorker, input: OperationInput<typeof completeTask>): Promise<TaskView> {
  const { context, fence, task } = worker
  const { artifacts = [], createdCards = [], summary, result, metadata, force } = input
  if (force !== null)
    throw new BoardError('not_allowed', `A worker cannot skip the checks of its own card ${task}.`, {
      details: { id: task },
    })
  const created = requireWholeIds(createdCards)
  const handover = { task, runId: fence.runId, artifacts, metadata }
  return completeWithArtifacts(context, handover, async ({ files, metadata: named }) => {
    const { store, board, actor } = context
    for (const file of files)
      unwrap(await store.decide({ verb: 'attach', board, actor, input: { ...file, taskId: task } }))
    return giveVerdict(worker, { kind: 'complete', summary, result, metadata: named, createdCards: created })
  })
}

async function giveVerdict(worker: OwnWorker, verdict: Verdict): Promise<TaskView & Recorded> {
  const { context, fence, task, directory, checkRunner, turnTimeout } = worker
  const { store, board, actor, options } = context
  const since = performance.now()
  const command = { verb: 'verdict', board, actor, input: { task, fence, verdict } } as const
  // The verdict is first written to its file. So a crash before the store records the verdict does not lose it.
  await writeVerdict(directory, fence, verdict).catch(() => {})
  const given = await retryUntilAvailable(() => store.decide(command), { forMs: RECORD_MS })
  if (!given.ok) await removeVerdict(directory)
  const { checks, isJudged } = unwrap(given)
  const recorded = await answerVerdict(
    checkRunner,
    { task, verdict: verdict.kind, checks, isJudged, since },
    options.verdictWaitMs,
  )
  turnTimeout.start()
  return { ...(await cardNow(store, { board, id: task })), recorded }
}

async function heartbeatOwnCard(
  { context, fence, task }: OwnWorker,
  { note }: OperationInput<typeof recordHeartbeat>,
): Promise<TaskView> {
  const { store, board, actor } = context
  unwrap(await store.decide({ verb: 'heartbeat', board, actor, input: { task, fence, note } }))
  return cardNow(store, { board, id: task })
}
