/** One verb on one card, for everybody who types the beginning of an id and may meet a live run. */
import type { GivenAnswer } from '../../core/briefing/answer.ts'
import { unwrap } from '../../core/command.ts'
import type { InputOf, ResultOf, VerbName } from '../../core/transitions/index.ts'
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

const LOOK_MS = 1_000

/** The verbs that answer with the card, and perhaps with a live run that must end first. */
type CardVerb = {
  [N in VerbName]: ResultOf<N> extends TaskResult ? N : never
}[VerbName]

export interface Act<N extends CardVerb> {
  readonly verb: N
  readonly input: Omit<InputOf<N>, 'task'>
  /** As in "Card t_… was not completed". */
  readonly participle: string
  /** Whether what was asked is what happened once a live run has ended: somebody else's word may have come later. */
  readonly applied?: (task: TaskView, run: Run) => boolean
  /** Whether it is a card in the trash that is meant. */
  readonly deleted?: boolean
  /** The run that this verb itself may open, and what must be started then. */
  readonly opens?: RunId
  readonly begin?: (address: TaskAddress) => Promise<void>
}

/**
 * The card as it is afterwards. A live run is ended by its own supervisor, which takes a moment: if it takes longer
 * than `intentWaitMs` the answer is `pending`, and what was asked happens later.
 */
export async function actOnCard<N extends CardVerb>(
  context: BoardContext,
  typed: string,
  { verb, input, participle, applied = () => true, deleted = false, opens, begin }: Act<N>,
): Promise<TaskView> {
  const { store, actor } = context
  const address = await resolveTask(store, typed, { deleted })
  const said = { ...input, task: address.id } as unknown as InputOf<N>
  const outcome = unwrap(await store.decide({ verb, board: address.board, actor, input: said })) as TaskResult
  if (!outcome.pending || outcome.runId === null) return cardNow(store, address)
  if (outcome.runId === opens) await begin?.(address)
  context.onPending?.()
  const run = await awaitSettlement(context, address, { runId: outcome.runId, participle })
  const task = await cardNow(store, address)
  if (!applied(task, run)) throw notApplied(task, run, participle)
  return task
}

/** The run's own supervisor ends it and applies what was asked. */
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
  const run = await waitUntil(store, ended, { forMs: options.intentWaitMs, everyMs: LOOK_MS })
  if (run !== null) return run
  const open = await store.run(runId)
  const checking = open?.phase === 'check'
  const message = checking
    ? `The checks of ${id} are still running: it will be ${participle} when they have passed.`
    : `Card ${id} is still running: it will be ${participle} when run ${runId} has ended.`
  const missing = open === null || checking ? '' : await hintFor(store, open)
  throw new BoardError('pending', `${message}${missing}`, { details: { id, runId } })
}

/** Loaded only for a run that does not end. */
const hintFor = async (store: Store, run: Run): Promise<string> =>
  (await import('../machine/inactive-dispatcher-hint.ts')).inactiveDispatcherHint(store, run)

/** Somebody else's word came later and counts, or its checks did not pass. */
function notApplied({ id, status, blockReason }: TaskView, run: Run, participle: string): BoardError {
  if (run.outcome === 'checks_failed')
    return new BoardError('checks_failed', `Card ${id} was not ${participle}: ${firstLine(run.error, 400)}.`, {
      details: { id, status, runId: run.id, output: run.checks?.output ?? run.error },
    })
  const why = (isBlocked(status) ? blockReason : null) ?? run.error ?? run.summary
  return new BoardError(
    'wrong_status',
    `Card ${id} was not ${participle}: its run ended ${run.outcome ?? 'unsettled'}, and the card is ${status}${why === null ? '' : ` (${why})`}.`,
    { details: { id, status, runId: run.id, outcome: run.outcome } },
  )
}

/** What a verb did is read back, not assumed. Deleted cards too: that may be what was asked. */
export async function cardNow(store: Pick<Store, 'task'>, { board, id }: TaskAddress): Promise<TaskView> {
  const task = await store.task(board, id, { deleted: true })
  if (task === null) throw new BoardError('task_not_found', `Card ${id} was removed meanwhile.`, { details: { id } })
  return task
}

/** The reason given with `unblock`, `reopen` or `promote` is an answer that the next worker reads. */
export const answerFrom = (reason: string | null): { readonly answer: GivenAnswer } => ({
  answer: reason === null ? null : { id: newCommentId(), text: reason },
})
