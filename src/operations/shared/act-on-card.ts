/** Changes one card: finds the card by its id, decides, and waits if a run must end first. */
import type { GivenAnswer } from '../../core/briefing/answer.ts'
import { unwrap } from '../../core/command.ts'
import type { VerbInput, VerbResult, VerbName } from '../../core/transitions/index.ts'
import type { TaskResult } from '../../core/transitions/guards.ts'
import { BoardError } from '../../core/errors.ts'
import type { RunId } from '../../core/ids.ts'
import type { Run } from '../../core/run.ts'
import { firstLine } from '../../core/text.ts'
import { isBlocked } from '../../core/status.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { newCommentId } from '../../util/mint.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import { waitUntil } from '../../processes/wait-until.ts'
import type { BoardContext } from './operation.ts'
import { resolveTask } from './resolve-task.ts'
import type { TaskAddress } from './resolve-task.ts'

const POLL_MS = 1_000

/** The verbs that return a card. If a run must end first, they return the run too. */
type CardVerb = {
  [N in VerbName]: VerbResult<N> extends TaskResult ? N : never
}[VerbName]

export interface Act<N extends CardVerb> {
  readonly verb: N
  readonly input: Omit<VerbInput<N>, 'task'>
  /** The participle for messages such as "Card t_… was not completed". */
  readonly participle: string
  /** Whether the change was applied when the run ended. False means that a later command replaced the change. */
  readonly applied?: (task: TaskView, run: Run) => boolean
  /** Whether to look for the card in the trash. */
  readonly deleted?: boolean
  /** The id for a run that this decision may open, and the function that starts the run. */
  readonly opens?: RunId
  readonly begin?: (address: TaskAddress) => Promise<void>
}

/**
 * Changes the card and returns it. If the card is running, its supervisor ends the run first. If that takes longer than
 * `intentWaitMs`, the error is `pending`, and the change is applied later.
 */
export async function actOnCard<N extends CardVerb>(
  context: BoardContext,
  typed: string,
  { verb, input, participle, applied = () => true, deleted = false, opens, begin }: Act<N>,
): Promise<TaskView> {
  const { store, actor } = context
  const address = await resolveTask(store, typed, { deleted })
  const decided = { ...input, task: address.id } as unknown as VerbInput<N>
  const outcome = unwrap(await store.decide({ verb, board: address.board, actor, input: decided })) as TaskResult
  if (!outcome.pending || outcome.runId === null) return cardNow(store, address)
  if (outcome.runId === opens) await begin?.(address)
  context.onPending?.()
  const run = await awaitSettlement(context, address, { runId: outcome.runId, participle })
  const task = await cardNow(store, address)
  if (!applied(task, run)) throw notApplied(task, run, participle)
  return task
}

/** Waits until the supervisor has ended the run and applied the change. */
async function awaitSettlement(
  { store, options }: BoardContext,
  { id }: TaskAddress,
  { runId, participle }: { runId: RunId; participle: string },
): Promise<Run> {
  nudgeRun(options.home, runId)
  const ended = async (): Promise<Run | null> => {
    const run = await store.run(runId)
    return run?.endedAt == null ? null : run
  }
  const run = await waitUntil(store, ended, { forMs: options.intentWaitMs, everyMs: POLL_MS })
  if (run !== null) return run
  const open = await store.run(runId)
  const checking = open?.phase === 'check'
  const message = checking
    ? `The checks of ${id} are still running. The card will be ${participle} when they pass.`
    : `Card ${id} is still running. It will be ${participle} when run ${runId} ends.`
  const hint = open === null || checking ? '' : await hintFor(store, open)
  throw new BoardError('pending', `${message}${hint}`, { details: { id, runId } })
}

/** The hint for a run that does not end. The code for the hint is loaded only in this case. */
const hintFor = async (store: Store, run: Run): Promise<string> =>
  (await import('../machine/inactive-dispatcher-hint.ts')).inactiveDispatcherHint(store, run)

/** The error if a later command replaced the change, or if the checks failed. */
function notApplied({ id, status, blockReason }: TaskView, run: Run, participle: string): BoardError {
  if (run.outcome === 'checks_failed')
    return new BoardError('checks_failed', `Card ${id} was not ${participle}: ${firstLine(run.error, 400)}.`, {
      details: { id, status, runId: run.id, output: run.checks?.output ?? run.error },
    })
  const why = (isBlocked(status) ? blockReason : null) ?? run.error ?? run.summary
  return new BoardError(
    'wrong_status',
    `Card ${id} was not ${participle}: its run ended as ${run.outcome ?? 'unknown'}, and the card is ${status}${why === null ? '' : ` (${why})`}.`,
    { details: { id, status, runId: run.id, outcome: run.outcome } },
  )
}

/** Reads the card after a change. Cards in the trash are found too, because the change may have deleted the card. */
export async function cardNow(store: Pick<Store, 'task'>, { board, id }: TaskAddress): Promise<TaskView> {
  const task = await store.task(board, id, { deleted: true })
  if (task === null)
    throw new BoardError('task_not_found', `Card ${id} was deleted by another command.`, { details: { id } })
  return task
}

/** Makes an answer from the reason given with `unblock`, `reopen` or `promote`. The next worker reads the answer. */
export const answerFrom = (reason: string | null): { readonly answer: GivenAnswer } => ({
  answer: reason === null ? null : { id: newCommentId(), text: reason },
})
