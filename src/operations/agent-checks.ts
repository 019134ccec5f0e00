import type { Store, TaskView } from '../storage/store.ts'
import { readRoster } from '../workers/roster.ts'

/**
 * What the file of a card's agent asks for beside the card's own checks; where that agent is not known here, what it
 * asked for when the card was last worked on.
 */
export async function checksOfAgent(
  store: Pick<Store, 'runs'>,
  home: string,
  { board, id, assignee }: Pick<TaskView, 'board' | 'id' | 'assignee'>,
): Promise<string[]> {
  if (assignee === null) return []
  const agent = (await readRoster(home)).agents.get(assignee)
  if (agent !== undefined) return [...agent.checks]
  const runs = (await store.runs(board, id)).filter(({ kind }) => kind === 'agent')
  const last = runs.toSorted((a, b) => b.attempt - a.attempt)[0]
  return [...(last?.checks?.ofAgent ?? [])]
}

/** The same command is run once, whoever asks for it. */
export const withChecks = (task: TaskView, checks: readonly string[]): TaskView => ({
  ...task,
  checks: [...new Set([...task.checks, ...checks])],
})
