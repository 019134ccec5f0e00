import { actorRun } from '../../core/actor.ts'
import { lastAgentChecks } from '../../core/required-checks.ts'
import type { TaskView } from '../../storage/store.ts'
import type { BoardContext } from '../shared/operation.ts'

type ChecksContext = Pick<BoardContext, 'options'> & { readonly store: Pick<BoardContext['store'], 'runs'> } & Partial<
    Pick<BoardContext, 'actor'>
  >

/**
 * The checks that the agent file adds to those of the card. An open run keeps the checks it started with. If the agent
 * is unknown here, the checks of the last run are used. The same applies inside a run, because a supervisor reads no
 * agent files.
 */
export async function checksOfAgent(
  { store, options, actor }: ChecksContext,
  { board, id, assignee, currentRunId }: Pick<TaskView, 'board' | 'id' | 'assignee' | 'currentRunId'>,
): Promise<readonly string[]> {
  if (assignee === null) return []
  const runs = await store.runs(board, id)
  const open = runs.find((run) => run.kind === 'agent' && run.id === currentRunId)
  if (open !== undefined) return lastAgentChecks([open])
  const last = lastAgentChecks(runs)
  if (actor !== undefined && actorRun(actor) !== null) return last
  const { readRoster } = await import('../../agents/roster.ts')
  return (await readRoster(options.home)).agents.get(assignee)?.checks ?? last
}

/** Adds the checks to the card's own checks, without duplicates. */
export const withChecks = (task: TaskView, checks: readonly string[]): TaskView => ({
  ...task,
  checks: [...new Set([...task.checks, ...checks])],
})
