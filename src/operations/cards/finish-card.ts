/** Completes or approves a card for a person. If the card has checks, they run first, in a run of their own. */
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

interface Finish {
  readonly verb: 'complete' | 'approve'
  readonly input: Omit<VerbInput<'complete'>, 'task' | 'checker' | 'checks'>
  readonly participle: string
}

export async function finishCard(context: BoardContext, typed: string, finish: Finish): Promise<TaskView> {
  const { store, options } = context
  const card = await cardNow(store, await resolveTask(store, typed))
  // Passes no actor, so that the checks come from the current agent file, even inside a run.
  const checks = [...(await checksOfAgent({ store, options }, card))]
  const applied = (_: TaskView, run: Run): boolean => run.outcome === 'completed'
  const act = { ...finish, input: { ...finish.input, checks }, applied }
  try {
    return await actOnCard(context, typed, act)
  } catch (error) {
    // Most cards have no checks, so the checker is loaded only when core asks for it.
    if (!needsChecker(error) || context.checker === undefined) throw error
  }
  const checker = await (await context.checker()).prepare(context.options)
  const token = newToken()
  const { machine, libVersion } = checker
  const input = { ...act.input, checker: { tokenHash: hashToken(token), machine, libVersion } }
  const { runId } = finish.input
  const begin = (address: TaskAddress): Promise<void> => startChecks(context, checker, { ...address, runId, token })
  return actOnCard(context, typed, { ...act, input, opens: runId, begin })
}

const needsChecker = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'checks_required' && error.details['claimed'] !== true

/** If the supervisor cannot be started, the run is closed and the card keeps its status. */
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
