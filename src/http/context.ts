/** Runs an operation for a request. */
import { BoardError } from '../core/errors.ts'
import type { Actor } from '../core/actor.ts'
import { requireBoard } from '../operations/boards/require-board.ts'
import { checkInput } from '../operations/shared/check-input.ts'
import type { BoardContext, LocalContext } from '../operations/shared/operation.ts'
import type { AnyOperation } from '../operations/shared/perform.ts'
import { overlay } from '../util/objects.ts'
import type { Caller, HttpParts } from './parts.ts'

/** A request to run an operation. */
export interface Call {
  readonly caller: Caller
  /** The board that the request names. Null means the current board of the server. */
  readonly board: string | null
  readonly input: Readonly<Record<string, unknown>>
  /** Returns a signal that aborts when the client disconnects or the server stops. Most operations need no signal. */
  readonly signal: () => AbortSignal
}

const actorOf = ({ name }: Caller): Actor => ({ kind: 'person', name })

export function boardContext({ target }: HttpParts, { caller, board }: Pick<Call, 'caller' | 'board'>): BoardContext {
  const { store, options, checker, version } = target
  const { name, scope } = caller
  return {
    store,
    options,
    actor: actorOf(caller),
    board: board ?? options.board,
    caller: { name, scope, version },
    ...(checker === undefined ? {} : { checker }),
  }
}

/**
 * Builds the context of a local operation. Such an operation normally opens the store itself. Here it gets the server's
 * store, which it cannot close.
 */
function localContext({ target }: HttpParts, { caller, signal }: Call): LocalContext {
  const { store, options, env, dispatcher, commandLine } = target
  return {
    options,
    env,
    actor: actorOf(caller),
    openStore: async () => overlay(store, { close: async () => {} }),
    dispatcher,
    signal: signal(),
    ...(commandLine === undefined ? {} : { commandLine }),
  }
}

export async function runOperation(parts: HttpParts, operation: AnyOperation, call: Call): Promise<unknown> {
  const context: BoardContext = { ...boardContext(parts, call), callerGone: call.signal }
  if (call.board !== null) await requireBoard(context.store, call.board)
  const input = (await checkInput(operation, call.input)) as never
  switch (operation.kind) {
    case 'query':
    case 'command':
      return operation.run(context, input)
    case 'local':
      return operation.run(localContext(parts, call), input)
    case 'stream':
      return operation.run({ ...context, signal: call.signal() }, input)
    case 'transfer':
      throw new BoardError('not_supported', `${operation.name} takes a file: it has a route of its own.`)
  }
}
