/** Runs an operation for who names it and sends its input: a worker through its supervisor, an assistant through tools. */
import { ownEnvironment } from '../../config/environment.ts'
import { BoardError } from '../../core/errors.ts'
import { overlay } from '../../util/overlay.ts'
import { checkInput } from './check-input.ts'
import { OPERATIONS } from '../index.ts'
import type { BoardContext, LocalContext, Operation, Published } from './operation.ts'

/** Any entry of the table: its input is known to its own file and its schema alone. */
type Entry<Kind extends 'query' | 'command' | 'transfer' | 'stream' | 'local'> = Published &
  Pick<Operation<Kind, never, unknown>, 'kind' | 'actor' | 'run'>
export type AnyOperation = Entry<'query'> | Entry<'command'> | Entry<'transfer'> | Entry<'stream'> | Entry<'local'>

export function operationNamed(name: string): AnyOperation | undefined {
  const table: readonly AnyOperation[] = Object.values(OPERATIONS)
  return table.find((operation) => operation.name === name)
}

/** The input has passed the operation's own schema; that its type is that of the operation, the compiler cannot see. */
export async function perform(operation: AnyOperation, context: BoardContext, input: unknown): Promise<unknown> {
  switch (operation.kind) {
    case 'query':
    case 'command':
      return operation.run(context, (await checkInput(operation, input)) as never)
    case 'transfer': {
      const { path, rest } = takePath(input)
      const said = await checkInput(operation, rest)
      return operation.run(context, said as never, path)
    }
    case 'local':
      return operation.run(localPart(context), (await checkInput(operation, input)) as never)
    case 'stream':
      throw new BoardError('not_supported', `${operation.name} has no end: it cannot be asked for here.`)
  }
}

/** A file is named, not sent: it is read where it lies. */
function takePath(input: unknown): { path: string; rest: unknown } {
  const { path, ...rest } = input as { readonly path?: unknown }
  if (typeof path === 'string') return { path, rest }
  throw new BoardError('invalid_input', 'path must be the absolute path of a file.', { details: { field: 'path' } })
}

/** What belongs to the machine opens the store itself; here it is lent one, which stays open. */
const localPart = ({ options, actor, store }: BoardContext): LocalContext => ({
  options,
  env: ownEnvironment(),
  actor,
  openStore: async () => overlay(store, { close: async () => {} }),
  dispatcher: () => Promise.reject(new BoardError('not_supported', 'Nothing is dispatched from here.')),
})
