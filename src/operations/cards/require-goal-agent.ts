/**
 * Refuses a goal for an agent that cannot have further turns, such as `shell`. An agent that is unknown on this machine
 * is not refused: the card then waits, and `why` explains it.
 */
import { goalOf } from '../../core/goal.ts'
import { BoardError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

type Goal = Task['goal'] | object | undefined

export async function requireGoalAgent(
  { options: { home } }: Pick<BoardContext, 'options'>,
  { goal, assignee }: { readonly goal: Goal; readonly assignee: string | null },
): Promise<void> {
  // Most cards have no goal, so the agent files are read only for a card with a goal.
  if (goal == null || assignee === null) return
  const { readRoster } = await import('../../agents/roster.ts')
  const agent = (await readRoster(home)).agents.get(assignee)
  if (agent === undefined || agent.onExit === 'verdict') return
  throw new BoardError(
    'invalid_input',
    `Agent ${assignee} ends its card when its program exits, so it cannot work towards a goal in turns. Assign another agent, or remove the goal.`,
    { details: { field: 'goal', agent: assignee } },
  )
}

/** Checks the agent and the goal that the card has after a change. */
export async function requireGoalAgentOf(
  context: BoardContext,
  typed: string,
  change: { readonly goal?: Goal; readonly assignee?: string | null },
): Promise<void> {
  if (change.goal == null && change.assignee == null) return
  const { board, id } = await resolveTask(context.store, typed)
  const card = await context.store.task(board, id)
  if (card === null) return
  const { goal = goalOf(card), assignee = card.assignee } = change
  await requireGoalAgent(context, { goal, assignee })
}
