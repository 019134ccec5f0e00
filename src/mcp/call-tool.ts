/** One call of a tool: its arguments as they were meant, the operation, and what the caller is told of its answer. */
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import { forgive } from './forgive.ts'
import { toolNamed } from './tools.ts'
import type { Arguments, Role, Tool } from './tool.ts'
import { propertiesOf } from './tool-list.ts'

export interface Caller {
  readonly role: Role
  /** The card whose run it speaks for; null outside a run. */
  readonly task: TaskId | null
  /** Its board; other boards are out of reach from here. */
  readonly board: string
  /** An operation in the caller's own name. */
  readonly ask: (operation: string, input: Arguments) => Promise<unknown>
}

export async function callTool(caller: Caller, name: string, given: unknown): Promise<object> {
  const tool = toolNamed(name)
  if (tool === undefined) throw new BoardError('not_supported', `There is no tool ${name} on this board.`)
  if (!tool.roles.includes(caller.role)) throw notYours(tool, caller.role)
  const meant = meantBy(tool, given, caller)
  const answer = await caller.ask(tool.operation, tool.toInput?.(meant) ?? meant)
  return tool.toResult(answer as never, meant)
}

/** What the caller wants, with its own card where it names none; throws when that cannot be said for sure. */
function meantBy(tool: Tool, given: unknown, caller: Caller): Arguments {
  const known = propertiesOf(tool.name)
  const { board, ...meant } = forgive(given, known)
  if (board !== undefined && board !== caller.board) throw elsewhere(caller.board, board)
  const early = Object.keys(meant).find(
    (argument) => tool.notYet?.includes(argument) === true && meant[argument] !== false,
  )
  if (early !== undefined) throw notAvailable(tool, early)
  const stranger = Object.keys(meant).find((argument) => !Object.hasOwn(known, argument))
  if (stranger !== undefined) throw unknown(tool, stranger, Object.keys(known))
  const own = tool.about === 'named' ? null : caller.task
  const aimed = tool.about === 'board' || own === null ? meant : { task: own, ...meant }
  const needed = [...(tool.about === 'board' ? [] : ['task']), ...(tool.required ?? [])]
  const missing = needed.find((argument) => aimed[argument] === undefined)
  if (missing !== undefined) throw lacks(tool, missing)
  return aimed
}

const lacks = ({ name }: Tool, argument: string): BoardError =>
  new BoardError('invalid_input', `${name} needs ${argument}: nothing was changed. Call it again with ${argument}.`, {
    details: { field: argument, tool: name },
  })

const notAvailable = ({ name }: Tool, argument: string): BoardError =>
  new BoardError(
    'invalid_input',
    `${name} with ${argument} is not available yet: nothing was changed. Call it again without ${argument}.`,
    { details: { field: argument, tool: name } },
  )

const unknown = ({ name }: Tool, argument: string, known: readonly string[]): BoardError =>
  new BoardError(
    'invalid_input',
    `${name} takes no ${argument}: nothing was changed. ${known.length === 0 ? 'Call it without arguments.' : `It takes ${known.join(', ')}.`}`,
    { details: { field: argument, tool: name } },
  )

const notYours = ({ name }: Tool, role: Role): BoardError =>
  new BoardError('not_allowed', `A ${role} may not use ${name}: comment on the card, or block your own.`, {
    details: { tool: name, role },
  })

const elsewhere = (own: string, board: unknown): BoardError =>
  new BoardError('not_allowed', `Only board ${own} can be reached from here, not ${String(board)}.`, {
    details: { board },
  })
