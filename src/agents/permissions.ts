/** Compares the permissions of agents. An agent must not let another agent do more than it may do itself. */
import { actorName } from '../core/actor.ts'
import type { ApprovalCause } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Agent } from './agent.ts'
import type { Permissions } from '../core/vocabulary.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import { isInReview } from '../core/status.ts'
import { harnessOf } from '../harnesses/index.ts'
import type { Roster } from './roster.ts'

/** The permissions in order, from few to many. */
const WIDTH: readonly Permissions[] = ['read', 'ask', 'edit', 'full']

const isWider = (one: Permissions, other: Permissions): boolean => WIDTH.indexOf(one) > WIDTH.indexOf(other)

/** The permissions that an author without an agent file has, such as a person's own assistant. */
export const UNKNOWN_AUTHOR: Permissions = 'edit'

/**
 * The permissions of an author for approvals. An orchestrator assigns work to others, so it counts as having at least
 * `edit`.
 */
export const authority = ({ permissions, tools }: Pick<Agent, 'permissions' | 'tools'>): Permissions =>
  tools.includes(WHOLE_BOARD) && isWider('edit', permissions) ? 'edit' : permissions

/** The reason why the author needs approval to let this agent run the card. Null means that no approval is needed. */
export function causeForApproval(
  author: Permissions,
  runner: Pick<Agent, 'permissions' | 'harness'>,
): ApprovalCause | null {
  if (author === 'full') return null
  if (harnessOf(runner).runsTheCard) return 'script'
  return isWider(runner.permissions, author) ? 'wider' : null
}

/**
 * Whether one agent may do more with a card than another agent. The result is also true if only one of the two runs the
 * body of the card as a script, because a script and a task need different texts.
 */
export const isWiderAgent = (
  one: Pick<Agent, 'permissions' | 'harness' | 'tools'>,
  other: Pick<Agent, 'permissions' | 'harness' | 'tools'>,
): boolean =>
  isWider(one.permissions, other.permissions) ||
  harnessOf(one).runsTheCard !== harnessOf(other).runsTheCard ||
  (one.tools.includes(WHOLE_BOARD) && !other.tools.includes(WHOLE_BOARD))

/**
 * Like `causeForApproval`, but the permissions come from the agent files of this machine. The board's own reviewer may
 * have more permissions than the author.
 */
export function causeForCardApproval(
  { createdBy, createdByRun, status, reviewer }: Pick<Task, 'createdBy' | 'createdByRun' | 'status' | 'reviewer'>,
  runner: Pick<Agent, 'permissions' | 'harness'>,
  { agents }: Pick<Roster, 'agents'>,
): ApprovalCause | null {
  if (createdByRun === null) return null
  const author = authorOf({ createdBy }, agents)
  const found = causeForApproval(author === undefined ? UNKNOWN_AUTHOR : authority(author), runner)
  return found === 'wider' && isInReview(status) && reviewer === null ? null : found
}

/**
 * Whether the author may use only its own folder for the card. Orchestrators, agents with `full` permissions and people
 * may use any folder.
 */
export function isLimitedToFolder(
  { createdBy, createdByRun }: Pick<Task, 'createdBy' | 'createdByRun'>,
  { agents }: Pick<Roster, 'agents'>,
): boolean {
  if (createdByRun === null) return false
  const author = authorOf({ createdBy }, agents)
  return author === undefined || (author.permissions !== 'full' && !author.tools.includes(WHOLE_BOARD))
}

const authorOf = ({ createdBy }: Pick<Task, 'createdBy'>, agents: Roster['agents']): Agent | undefined =>
  [...agents.values()].find(({ name }) => nameInRows(name) === createdBy)

/**
 * Returns the authors whose scripts this agent runs without approval. Null means that this agent does not run bodies as
 * scripts.
 */
export const trustedBy = (
  runner: Pick<Agent, 'harness'>,
  { agents }: Pick<Roster, 'agents'>,
): readonly string[] | null =>
  harnessOf(runner).runsTheCard
    ? [...agents.values()].filter((agent) => authority(agent) === 'full').map(({ name }) => nameInRows(name))
    : null

const nameInRows = (name: string): string => actorName({ kind: 'orchestrator', name, taskId: null, runId: null })
