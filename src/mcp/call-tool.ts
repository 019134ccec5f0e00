/** Calls a tool: corrects its arguments, runs the operation and shortens the answer. */
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import { normalizeArguments } from './normalize-arguments.ts'
import { toolNamed } from './tools.ts'
import type { Arguments, Role, Tool } from './tool.ts'
import { propertiesOf } from './tool-list.ts'

export interface Caller {
  readonly role: Role
  /** The card of the caller's run. This is null outside a run. */
  readonly task: TaskId | null
  /** The board of the caller. The caller cannot use any other board. */
  readonly board: string
  /** Runs an operation as the caller. */
  readonly ask: (operation: string, input: Arguments) => Promise<unknown>
}

export async function callTool(caller: Caller, name: string, given: unknown): Promise<object> {
  const tool = toolNamed(name)
  if (tool === undefined) throw new BoardError('not_supported', `Unknown tool ${name}.`)
  if (!tool.roles.includes(caller.role)) throw notForRole(tool, caller.role)
  const checked = checkArguments(tool, given, caller)
  const answer = await caller.ask(tool.operation, tool.toInput?.(checked) ?? checked)
  return tool.toResult(answer as never, checked)
}

/**
 * Checks the arguments. If they name no card, adds the caller's own card. Throws an error if an argument is unknown or
 * missing.
 */
function checkArguments(tool: Tool, given: unknown, caller: Caller): Arguments {
  const known = propertiesOf(tool.name)
  const { board, ...named } = normalizeArguments(given, known)
  if (board !== undefined && board !== caller.board) throw otherBoard(caller.board, board)
  const extra = Object.keys(named).find((argument) => !Object.hasOwn(known, argument))
  if (extra !== undefined) throw unknownArgument(tool, extra, Object.keys(known))
  const own = tool.about === 'named' ? null : caller.task
  const complete = tool.about === 'board' || own === null ? named : { task: own, ...named }
  const needed = [...(tool.about === 'board' ? [] : ['task']), ...(tool.required ?? [])]
  const missing = needed.find((argument) => complete[argument] === undefined)
  if (missing !== undefined) throw missingArgument(tool, missing)
  return complete
}

const missingArgument = ({ name }: Tool, argument: string): BoardError =>
  new BoardError('invalid_input', `${name} needs ${argument}. Nothing was changed. Call it again with ${argument}.`, {
    details: { field: argument, tool: name },
  })

const unknownArgument = ({ name }: Tool, argument: string, known: readonly string[]): BoardError =>
  new BoardError(
    'invalid_input',
    `${name} has no argument ${argument}. Nothing was changed. ${known.length === 0 ? 'Call it without arguments.' : `It takes ${known.join(', ')}.`}`,
    { details: { field: argument, tool: name } },
  )

const notForRole = ({ name }: Tool, role: Role): BoardError =>
  new BoardError('not_allowed', `A ${role} may not use ${name}. Use kanban_comment or kanban_block instead.`, {
    details: { tool: name, role },
  })

const otherBoard = (own: string, board: unknown): BoardError =>
  new BoardError('not_allowed', `Only board ${own} is available here, not ${String(board)}.`, {
    details: { board },
  })
