/**
 * What the verbs of the board mean when a worker says them of its own card. It does not settle it: it gives a verdict
 * on its run, under the fence, and the card is settled when the run has ended.
 */
import { unwrap } from '../core/command.ts'
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import type { InputOf } from '../core/transitions/index.ts'
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

export interface Speaker {
  readonly fence: SupervisedRun['fence']
  readonly directory: SupervisedRun['directory']
  readonly checkRunner: Pick<CheckRunner, 'check' | 'stop'>
  readonly turnTimeout: { start(): void }
  readonly task: TaskId
  readonly context: BoardContext
}

type Said<O extends { run: (context: never, input: never) => unknown }> = Parameters<O['run']>[1]
type Verdict = InputOf<'verdict'>['verdict']

/** A moment's trouble of the store must not cost a worker its word; the client waits a little longer than this. */
const HEAR_MS = 15_000

export const OWN_CARD: Readonly<Record<string, (speaker: Speaker, said: never) => Promise<TaskView>>> = {
  complete,
  block: (speaker, { reason, kind }: Said<typeof blockTask>) =>
    giveVerdict(speaker, { kind: 'block', reason, blockKind: kind }),
  'request-review': (speaker, { summary, metadata, reviewer }: Said<typeof requestReview>) =>
    giveVerdict(speaker, { kind: 'request_review', summary, metadata, reviewer }),
  'request-changes': (speaker, { reason }: Said<typeof requestChanges>) =>
    giveVerdict(speaker, { kind: 'request_changes', reason }),
  heartbeat: beat,
}

/** Its files go onto the card at once: they are there whatever becomes of the run. */
async function complete(speaker: Speaker, said: Said<typeof completeTask>): Promise<TaskView> {
  const { context, fence, task } = speaker
  const { artifacts = [], createdCards = [], summary, result, metadata, force } = said
  if (force !== null)
    throw new BoardError('not_allowed', `A worker cannot skip the checks of its own card ${task}.`, {
      details: { id: task },
    })
  const made = requireWholeIds(createdCards)
  const asked = { task, runId: fence.runId, artifacts, metadata }
  return completeWithArtifacts(context, asked, async ({ files, metadata: named }) => {
    const { store, board, actor } = context
    for (const file of files)
      unwrap(await store.decide({ verb: 'attach', board, actor, input: { ...file, taskId: task } }))
    return giveVerdict(speaker, { kind: 'complete', summary, result, metadata: named, createdCards: made })
  })
}

async function giveVerdict(speaker: Speaker, verdict: Verdict): Promise<TaskView & Recorded> {
  const { context, fence, task, directory, checkRunner, turnTimeout } = speaker
  const { store, board, actor, options } = context
  const since = performance.now()
  const command = { verb: 'verdict', board, actor, input: { task, fence, verdict } } as const
  // The file first: whatever becomes of us before the store has it, the word is not lost. A full disk costs only that.
  await writeVerdict(directory, fence, verdict).catch(() => {})
  const heard = await retryUntilAvailable(() => store.decide(command), { forMs: HEAR_MS })
  if (!heard.ok) await removeVerdict(directory)
  const { checks } = unwrap(heard)
  const recorded = await answerVerdict(
    checkRunner,
    { task, verdict: verdict.kind, checks, since },
    options.verdictWaitMs,
  )
  turnTimeout.start()
  return { ...(await cardNow(store, { board, id: task })), recorded }
}

async function beat({ context, fence, task }: Speaker, { note }: Said<typeof recordHeartbeat>): Promise<TaskView> {
  const { store, board, actor } = context
  unwrap(await store.decide({ verb: 'heartbeat', board, actor, input: { task, fence, note } }))
  return cardNow(store, { board, id: task })
}
