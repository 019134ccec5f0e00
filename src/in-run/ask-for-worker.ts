/** What a worker asks, as an operation on its board in its own name. Core decides what it may do to which card. */
import { loadOptions } from '../config/load.ts'
import { BoardError } from '../core/errors.ts'
import { checkInput } from '../operations/check-input.ts'
import { OPERATIONS } from '../operations/index.ts'
import type { BoardContext, Operation, Published } from '../operations/operation.ts'
import { resolveTask } from '../operations/resolve-task.ts'
import type { AnswerPort, Asker } from '../workers/supervisor/channel.ts'
import { examineFile, readPieces } from '../workspaces/readable-file.ts'
import { OWN_CARD } from './own-card.ts'
import { withinBoard } from './within-board.ts'

/** Any entry of the table: its input is known to its own file and its schema alone. */
type Entry<Kind extends 'query' | 'command' | 'transfer' | 'stream' | 'local'> = Published &
  Pick<Operation<Kind, never, unknown>, 'kind' | 'actor' | 'run'>
type AnyOperation = Entry<'query'> | Entry<'command'> | Entry<'transfer'> | Entry<'stream'> | Entry<'local'>

export const askForWorker: AnswerPort = async ({ owned, examiner }, op, input) => {
  const operation = operationNamed(op)
  const context = await contextOf(owned)
  const { task } = owned.ticket
  const own = OWN_CARD[op]
  if (own !== undefined) {
    const said = await checkInput(operation, input)
    if (await isAbout(context, said, task)) {
      const { fence, directory } = owned
      return own({ context, task, fence, directory, examiner }, said as never)
    }
  }
  return run(operation, context, input)
}

function operationNamed(op: string): AnyOperation {
  const table: readonly AnyOperation[] = Object.values(OPERATIONS)
  const found = table.find(({ name }) => name === op)
  if (found !== undefined) return found
  throw new BoardError('not_supported', `The supervisor of this run knows no ${op}: it is older than this command.`)
}

/** Every verb with a meaning of its own names the card it is about `task`. */
async function isAbout({ store }: BoardContext, said: unknown, id: string): Promise<boolean> {
  const { task } = said as { readonly task: string }
  return (await resolveTask(store, task)).id === id
}

/** The input has passed the operation's own schema; that its type is that of the operation, the compiler cannot see. */
async function run(operation: AnyOperation, context: BoardContext, input: unknown): Promise<unknown> {
  if (operation.actor !== 'worker') throw forPeople(operation.name)
  switch (operation.kind) {
    case 'query':
    case 'command':
      return operation.run(context, (await checkInput(operation, input)) as never)
    case 'transfer': {
      const { path, rest } = takePath(input)
      const said = await checkInput(operation, rest)
      await examineFile(path, context.options.store)
      return operation.run(context, said as never, readPieces(path))
    }
    case 'stream':
    case 'local':
      throw forPeople(operation.name)
  }
}

const forPeople = (op: string): BoardError =>
  new BoardError('not_allowed', `A worker may not ask for ${op}: that is for people.`, { details: { verb: op } })

/** A file is named, not sent: the supervisor reads it where it lies. */
function takePath(input: unknown): { path: string; rest: unknown } {
  const { path, ...rest } = input as { readonly path?: unknown }
  if (typeof path === 'string') return { path, rest }
  throw new BoardError('invalid_input', 'path must be the absolute path of a file.', { details: { field: 'path' } })
}

/**
 * Whoever holds the nonce speaks as the agent of this run, whatever it says of itself, and means the board and the home
 * of the run, whatever stands in its environment.
 */
async function contextOf({ store, ticket, fence }: Asker['owned']): Promise<BoardContext> {
  const { home, store: location, board, agent, task } = ticket
  const options = await loadOptions({
    MUSTER_HOME: home,
    MUSTER_STORE: location,
    MUSTER_BOARD: board,
    MUSTER_USER: agent,
  })
  const actor = { kind: 'worker', name: agent, taskId: task, runId: fence.runId } as const
  return { store: withinBoard(store, board), board, actor, options }
}
