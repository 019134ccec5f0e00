/** Completes or approves a card for a person. If the card has checks, the checks run first, in a separate run. */
import { BoardError, asBoardError, isDiskFull } from '../../core/errors.ts'
import type { RunId } from '../../core/ids.ts'
import type { VerbInput } from '../../core/transitions/index.ts'
import type { Run } from '../../core/run.ts'
import type { TaskView } from '../../storage/store.ts'
import { hashToken, newToken } from '../../util/mint.ts'
import type { Checker } from '../../supervisor/checks/port.ts'
import { tryBriefly } from '../../supervisor/retry.ts'
import { actOnCard, cardNow } from '../shared/act-on-card.ts'
import { checksOfAgent } from '../agents/agent-checks.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'
import type { TaskAddress } from '../shared/resolve-task.ts'

type FinishVerb = 'complete' | 'approve' | 'update'
type CheckInput = Pick<VerbInput<'complete'>, 'checks' | 'checker'>

interface Finish<N extends FinishVerb> {
  readonly verb: N
  /** The id for the run that runs the checks. */
  readonly runId: RunId
  /** Returns the input of the verb, which contains the checks of the agent's file and the machine that runs them. */
  readonly inputWith: (checks: CheckInput) => Omit<VerbInput<N>, 'task'>
  readonly participle: string
  /** The assignee after this change. Undefined means that the change sets no assignee. */
  readonly assignee?: string | null | undefined
}

export async function finishCard<N extends FinishVerb>(
  context: BoardContext,
  typed: string,
  { verb, runId, inputWith, participle, assignee }: Finish<N>,
): Promise<TaskView> {
  const { store, options } = context
  const card = await cardNow(store, await resolveTask(store, typed))
  // The actor is left out, so that the checks come from the current agent file even inside a run.
  const owner = assignee === undefined ? card : { ...card, assignee }
  const checks = [...(await checksOfAgent({ store, options }, owner))]
  const applied = (_: TaskView, run: Run): boolean => run.outcome === 'completed'
  const act = { verb, participle, applied }
  try {
    return await actOnCard(context, typed, { ...act, input: inputWith({ checks }) })
  } catch (error) {
    // Most cards have no checks, so the checker is loaded only when core requests it.
    if (!needsChecker(error) || context.checker === undefined) throw error
  }
  const checker = await (await context.checker()).prepare(context.options)
  const token = newToken()
  const { machine, libVersion } = checker
  const input = inputWith({ checks, checker: { tokenHash: hashToken(token), machine, libVersion } })
  const begin = (address: TaskAddress): Promise<void> => startChecks(context, checker, { ...address, runId, token })
  return actOnCard(context, typed, { ...act, input, opens: runId, begin })
}

const needsChecker = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'checks_required' && error.details['claimed'] !== true

/** Starts the checks. If the supervisor cannot be started, the run is closed and the card keeps its status. */
async function startChecks(
  { store, actor }: BoardContext,
  checker: Checker,
  { board, id, runId, token }: TaskAddress & { readonly runId: RunId; readonly token: string },
): Promise<void> {
  try {
    await checker.start({ board, task: id, run: runId, token })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const by = { fence: { runId, tokenHash: hashToken(token) } }
    const ending = { how: 'interrupted', error: `its checks could not be started: ${why}` } as const
    await tryBriefly(() => store.decide({ verb: 'settle', board, actor, input: { task: id, runId, by, ending } }))
    if (isDiskFull(cause)) throw asBoardError(cause)
    throw new BoardError('store_io', `The checks of ${id} could not be started: ${why}.`, { details: { id }, cause })
  }
}
