/** Runs an operation by its name. The caller is a worker with a supervisor, or an assistant with tools. */
import { ownEnvironment } from '../../config/environment.ts'
import { BoardError } from '../../core/errors.ts'
import { overlay } from '../../util/objects.ts'
import { checkInput } from './check-input.ts'
import { OPERATIONS } from '../index.ts'
import type { BoardContext, LocalContext, Operation, Published } from './operation.ts'

/** Any operation. Only the operation's own file and schema know the type of its input. */
type OperationEntry<Kind extends 'query' | 'command' | 'transfer' | 'stream' | 'local'> = Published &
  Pick<Operation<Kind, never, unknown>, 'kind' | 'actor' | 'scope' | 'run'>
export type AnyOperation =
  | OperationEntry<'query'>
  | OperationEntry<'command'>
  | OperationEntry<'transfer'>
  | OperationEntry<'stream'>
  | OperationEntry<'local'>

export function operationNamed(name: string): AnyOperation | undefined {
  const table: readonly AnyOperation[] = Object.values(OPERATIONS)
  return table.find((operation) => operation.name === name)
}

/** Runs the operation. The cast of the input is safe, because the operation's own schema has checked the input. */
export async function perform(operation: AnyOperation, context: BoardContext, input: unknown): Promise<unknown> {
  switch (operation.kind) {
    case 'query':
    case 'command':
      return operation.run(context, (await checkInput(operation, input)) as never)
    case 'transfer': {
      const { path, rest } = takePath(input)
      const checked = await checkInput(operation, rest)
      return operation.run(context, checked as never, path)
    }
    case 'local':
      return operation.run(localPart(context), (await checkInput(operation, input)) as never)
    case 'stream':
      throw new BoardError('not_supported', `${operation.name} is a stream, which is not supported here.`)
  }
}

/** Separates the path of a file from the other fields of the input. */
function takePath(input: unknown): { path: string; rest: unknown } {
  const { path, ...rest } = input as { readonly path?: unknown }
  if (typeof path === 'string') return { path, rest }
  throw new BoardError('invalid_input', 'path must be the absolute path of a file.', { details: { field: 'path' } })
}

/**
 * The context for a local operation. A local operation normally opens the store itself. Here the operation gets the
 * open store, and cannot close it.
 */
const localPart = ({ options, actor, store }: BoardContext): LocalContext => ({
  options,
  env: ownEnvironment(),
  actor,
  openStore: async () => overlay(store, { close: async () => {} }),
  dispatcher: () => Promise.reject(new BoardError('not_supported', 'Cards cannot be started from here.')),
})
