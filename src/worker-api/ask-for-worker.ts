/**
 * Runs a worker's request as an operation of this worker on its board. Core decides which cards the worker may change.
 */
import { loadOptions } from '../config/load.ts'
import { BoardError } from '../core/errors.ts'
import { checkInput } from '../operations/shared/check-input.ts'
import { operationNamed, perform } from '../operations/shared/perform.ts'
import type { AnyOperation } from '../operations/shared/perform.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import { approveAgentWrites } from '../operations/agent-guard/approve-agent-writes.ts'
import { resolveTask } from '../operations/shared/resolve-task.ts'
import { withinBoard } from '../operations/agent-guard/within-board.ts'
import { boardRole } from '../core/vocabulary.ts'
import type { BoardRole } from '../core/vocabulary.ts'
import { authority } from '../agents/permissions.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import type { AnswerWorker, Requester } from '../supervisor/run-socket.ts'
import { SUPERVISOR } from '../supervisor/supervised-run.ts'
import { OWN_CARD } from './own-card.ts'

export const askForWorker: AnswerWorker = async ({ owned, checkRunner, turnTimeout }, op, input) => {
  const operation = operationNamed(op)
  if (operation === undefined)
    throw new BoardError(
      'not_supported',
      `The supervisor of this run does not support ${op}: it is older than this command. Continue without it.`,
    )
  if (isWriteOperation(operation)) await rejectIfRunEnded(owned, op, input)
  const role = boardRole(owned.ticket.tools, owned.run.phase, owned.task)
  const context = await contextOf(owned, role)
  const { task } = owned.ticket
  const own = OWN_CARD[op]
  if (own !== undefined) {
    const checked = await checkInput(operation, input)
    if (await namesCard(context, checked, task)) {
      const { fence, directory } = owned
      return own({ context, task, fence, directory, checkRunner, turnTimeout }, checked as never)
    }
  }
  if (!mayAsk(role, operation)) throw notForWorkers(op)
  return perform(operation, context, input)
}

const isWriteOperation = ({ kind, name }: AnyOperation): boolean =>
  kind !== 'query' && kind !== 'stream' && name !== 'heartbeat'

/**
 * Refuses and records a change by a run that has ended. This check comes before all others, so that every such change
 * is recorded.
 */
async function rejectIfRunEnded(
  { store, ticket, fence }: Requester['owned'],
  verb: string,
  content: unknown,
): Promise<void> {
  const run = await store.run(fence.runId)
  if (run !== null && run.endedAt === null) return
  const { board, task } = ticket
  await store.decide({
    verb: 'record_late_write',
    board,
    actor: SUPERVISOR,
    input: { task, runId: fence.runId, verb, content },
  })
  throw new BoardError(
    'run_superseded',
    `Run ${fence.runId} no longer owns card ${task}: stop working on it. Nothing was changed; your input is kept in the history.`,
    { details: { id: task, runId: fence.runId } },
  )
}

/** Whether the input names the worker's card. Every operation in OWN_CARD has the card in the field `task`. */
async function namesCard({ store }: BoardContext, input: unknown, id: string): Promise<boolean> {
  const { task } = input as { readonly task: string }
  return (await resolveTask(store, task)).id === id
}

const mayAsk = (role: BoardRole, { actor }: AnyOperation): boolean =>
  actor === 'worker' || (actor === 'orchestrator' && role === 'orchestrator')

const notForWorkers = (op: string): BoardError =>
  new BoardError(
    'not_allowed',
    `A worker may not use ${op}: only people may. If you need it, block the card and say why.`,
    { details: { verb: op } },
  )

/** The context of each run, which all requests of the run share. */
const contexts = new WeakMap<Requester['owned'], Promise<BoardContext>>()

function contextOf(owned: Requester['owned'], role: BoardRole): Promise<BoardContext> {
  const known = contexts.get(owned)
  if (known !== undefined) return known
  const made = makeContext(owned, role)
  contexts.set(owned, made)
  made.catch(() => contexts.delete(owned))
  return made
}

/**
 * Makes the context of a run. A caller with the run's nonce acts as the agent of this run. The board and the data
 * folder come from the ticket, not from the environment of the caller.
 */
async function makeContext(
  { store, ticket, fence, directory }: Requester['owned'],
  role: BoardRole,
): Promise<BoardContext> {
  const { home, store: location, board, agent, task } = ticket
  const options = await loadOptions({
    MUSTER_HOME: home,
    MUSTER_STORE: location,
    MUSTER_BOARD: board,
    MUSTER_USER: agent,
  })
  const kind = role === 'orchestrator' ? 'orchestrator' : 'worker'
  const actor = { kind, name: agent, taskId: task, runId: fence.runId } as const
  const own = await store.task(board, task)
  const place = own === null ? null : workspacePath(own.workspace, { home, board, task })
  const repo = own?.workspace.kind === 'worktree' ? own.workspace.repo : null
  // An orchestrator may create cards that work in any folder.
  const within = kind === 'orchestrator' ? null : { folder: place ?? directory.path, repo }
  const author = { permissions: authority(ticket), inRun: true, within }
  return { store: approveAgentWrites(withinBoard(store, board), author, home), board, actor, options }
}
