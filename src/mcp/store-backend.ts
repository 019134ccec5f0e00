/** The backend outside a run. It gives a person's own assistant access to the board. */
import { BoardError } from '../core/errors.ts'
import { checkInput } from '../operations/shared/check-input.ts'
import type { BoardContext } from '../operations/shared/operation.ts'
import { operationNamed, perform } from '../operations/shared/perform.ts'
import type { AnyOperation } from '../operations/shared/perform.ts'
import { approveAgentWrites } from '../operations/agent-guard/approve-agent-writes.ts'
import { withinBoard } from '../operations/agent-guard/within-board.ts'
import { UNKNOWN_AUTHOR } from '../agents/permissions.ts'
import type { Backend } from './answer.ts'
import { callTool } from './call-tool.ts'
import type { Caller } from './call-tool.ts'
import type { Arguments } from './tool.ts'
import { listResources, readResource } from './resources.ts'

/** The only operation that may create the data folder. */
const CREATE = 'create'

type Open = (how: { makesHome: boolean }) => Promise<BoardContext>

/** The backend for a store. `admit` throws an error if the assistant may not run an operation with this input. */
export function storeBackend(
  board: string,
  open: Open,
  admit: (operation: AnyOperation, input: Arguments) => void = () => {},
): Backend {
  const ask: Caller['ask'] = async (name, input) => {
    const operation = operationNamed(name)
    if (operation === undefined) throw new BoardError('not_supported', `There is no operation ${name}.`)
    admit(operation, input)
    const makesHome = name === CREATE
    // The input is checked first, so that a call with invalid input creates no data folder.
    if (makesHome) await checkInput(operation, input)
    const context = await open({ makesHome }).catch(explainMissingStore)
    const within = withinBoard(context.store, board)
    const store = approveAgentWrites(
      within,
      { permissions: UNKNOWN_AUTHOR, inRun: false, within: null },
      context.options.home,
    )
    return perform(operation, { ...context, store }, input)
  }
  const caller: Caller = { role: 'assistant', task: null, board, ask }
  return {
    role: caller.role,
    callTool: (name, given) => callTool(caller, name, given),
    listResources: () => listResources(caller),
    readResource: (uri) => readResource(caller, uri),
  }
}

/**
 * Replaces the remedy in the error. The original remedy is for a person at a terminal, and the new remedy is for an
 * assistant.
 */
function explainMissingStore(error: unknown): never {
  if (!(error instanceof BoardError) || error.code !== 'store_missing') throw error
  throw new BoardError(
    'store_missing',
    'There is no board yet. kanban_create creates one with its first card, or a person runs muster init.',
    { details: error.details, cause: error },
  )
}
