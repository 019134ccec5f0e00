/** Outside a run: the board of whoever starts us, for the assistant they talk to. */
import { BoardError } from '../core/errors.ts'
import type { BoardContext } from '../operations/operation.ts'
import { operationNamed, perform } from '../operations/perform.ts'
import { withinBoard } from '../operations/within-board.ts'
import type { Backend } from './answer.ts'
import { callTool } from './call-tool.ts'
import type { Caller } from './call-tool.ts'
import { listResources, readResource } from './resources.ts'

export function storeBackend(board: string, open: () => Promise<BoardContext>): Backend {
  const ask: Caller['ask'] = async (name, input) => {
    const operation = operationNamed(name)
    if (operation === undefined) throw new BoardError('not_supported', `There is no operation ${name}.`)
    const context = await open()
    return perform(operation, { ...context, store: withinBoard(context.store, board) }, input)
  }
  const caller: Caller = { role: 'assistant', task: null, board, ask }
  return {
    role: caller.role,
    callTool: (name, given) => callTool(caller, name, given),
    listResources: () => listResources(caller),
    readResource: (uri) => readResource(caller, uri),
  }
}
