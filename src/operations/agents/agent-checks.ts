import { actorRun } from '../../core/actor.ts'
import { lastAgentChecks } from '../../core/required-checks.ts'
import type { TaskView } from '../../storage/store.ts'
import type { BoardContext } from '../shared/operation.ts'

type Looking = Pick<BoardContext, 'options'> & { readonly store: Pick<BoardContext['store'], 'runs'> } & Partial<
    Pick<BoardContext, 'actor'>
  >

/**
 * What the file of a card's agent asks for beside the card's own checks. A run that is open is held to what it asked for
 * when that began, whatever it says by now. Where the agent is not known here, what it asked for last is taken; so it is
 * for who asks inside a run: a supervisor does not read the files of agents.
 */
export async function checksOfAgent(
  { store, options, actor }: Looking,
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

/** The same command is run once, whoever asks for it. */
export const withChecks = (task: TaskView, checks: readonly string[]): TaskView => ({
  ...task,
  checks: [...new Set([...task.checks, ...checks])],
})
