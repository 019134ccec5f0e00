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
  const { board, ...meant } = forgive(given, propertiesOf(tool.name))
  if (board !== undefined && board !== caller.board) throw elsewhere(caller.board, board)
  const aimed = tool.about === 'board' ? meant : { ...meant, task: meant['task'] ?? ownCard(tool, caller) }
  const missing = (tool.required ?? []).find((argument) => meant[argument] === undefined)
  if (missing !== undefined) throw lacks(tool, missing)
  const answer = await caller.ask(tool.operation, tool.toInput?.(aimed) ?? aimed)
  return tool.toResult(answer as never, meant)
}

function ownCard(tool: Tool, { task }: Caller): TaskId {
  if (task === null || tool.about === 'named') throw lacks(tool, 'task')
  return task
}

const lacks = ({ name }: Tool, argument: string): BoardError =>
  new BoardError('invalid_input', `${name} needs ${argument}: nothing was changed. Call it again with ${argument}.`, {
    details: { field: argument, tool: name },
  })

const notYours = ({ name }: Tool, role: Role): BoardError =>
  new BoardError('not_allowed', `A ${role} may not use ${name}: comment on the card, or block your own.`, {
    details: { tool: name, role },
  })

const elsewhere = (own: string, board: unknown): BoardError =>
  new BoardError('not_allowed', `Only board ${own} can be reached from here, not ${String(board)}.`, {
    details: { board },
  })
