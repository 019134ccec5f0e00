import { actorRun } from '../../core/actor.ts'
import { lastAgentChecks } from '../../core/required-checks.ts'
import type { Run } from '../../core/run.ts'
import type { TaskView } from '../../storage/store.ts'
import type { BoardContext } from '../shared/operation.ts'

type ChecksContext = Pick<BoardContext, 'options'> & { readonly store: Pick<BoardContext['store'], 'runs'> } & Partial<
    Pick<BoardContext, 'actor'>
  >

/**
 * The checks that the agent file adds to the checks of the card. A card with an open run keeps the checks with which
 * the run started. The checks of the card's last run are used in two cases: this machine has no such agent, or a process
 * of a run asks its supervisor, which reads no agent files.
 */
export async function checksOfAgent(
  { store, options, actor }: ChecksContext,
  { board, id, assignee, currentRunId }: Pick<TaskView, 'board' | 'id' | 'assignee' | 'currentRunId'>,
  knownRuns?: readonly Run[],
): Promise<readonly string[]> {
  if (assignee === null) return []
  const runs = knownRuns ?? (await store.runs(board, id))
  const open = runs.find((run) => run.kind === 'agent' && run.id === currentRunId)
  if (open !== undefined) return lastAgentChecks([open])
  const last = lastAgentChecks(runs)
  if (actor !== undefined && actorRun(actor) !== null) return last
  const { readRoster } = await import('../../agents/roster.ts')
  return (await readRoster(options.home)).agents.get(assignee)?.checks ?? last
}

/** Adds these checks to the card's own checks, without duplicates. */
export const withChecks = (task: TaskView, checks: readonly string[]): TaskView => ({
  ...task,
  checks: [...new Set([...task.checks, ...checks])],
})
