/**
 * Compares the permissions of agents. Text written by one agent must not make another agent do more than the author may
 * do.
 */
import { actorName } from '../core/actor.ts'
import type { ApprovalCause } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Agent } from './agent.ts'
import type { Permissions } from '../core/vocabulary.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import { isInReview } from '../core/status.ts'
import { harnessOf } from '../harnesses/index.ts'
import type { Roster } from './roster.ts'

/** From narrow to wide. */
const WIDTH: readonly Permissions[] = ['read', 'ask', 'edit', 'full']

const isWider = (one: Permissions, other: Permissions): boolean => WIDTH.indexOf(one) > WIDTH.indexOf(other)

/** The permissions of an author without an agent file, such as a person's own assistant. */
export const UNKNOWN_AUTHOR: Permissions = 'edit'

/**
 * The permissions that count for text written by an agent. An orchestrator assigns work to others, so its text counts
 * as at least `edit`.
 */
export const authority = ({ permissions, tools }: Pick<Agent, 'permissions' | 'tools'>): Permissions =>
  tools.includes(WHOLE_BOARD) && isWider('edit', permissions) ? 'edit' : permissions

/** How the agent that runs the card exceeds the permissions of the author; null if it does not. */
export function causeForApproval(
  author: Permissions,
  runner: Pick<Agent, 'permissions' | 'harness'>,
): ApprovalCause | null {
  if (author === 'full') return null
  if (harnessOf(runner).runsTheCard) return 'script'
  return isWider(runner.permissions, author) ? 'wider' : null
}

/**
 * Whether one agent may do more with a card than the other. An agent that runs the body as a script never replaces one
 * that reads it as a task, nor the reverse, because the two need different texts.
 */
export const isWiderAgent = (
  one: Pick<Agent, 'permissions' | 'harness' | 'tools'>,
  other: Pick<Agent, 'permissions' | 'harness' | 'tools'>,
): boolean =>
  isWider(one.permissions, other.permissions) ||
  harnessOf(one).runsTheCard !== harnessOf(other).runsTheCard ||
  (one.tools.includes(WHOLE_BOARD) && !other.tools.includes(WHOLE_BOARD))

/**
 * Like `causeForApproval`, for a card and the current agent files. The board's own reviewer may have wider permissions.
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
 * Whether the card's author may name only its own folder. Orchestrators, agents with `full` permissions and people may
 * name any folder.
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

/** The authors whose scripts run without approval. Null means that this agent does not run the body as a script. */
export const trustedBy = (
  runner: Pick<Agent, 'harness'>,
  { agents }: Pick<Roster, 'agents'>,
): readonly string[] | null =>
  harnessOf(runner).runsTheCard
    ? [...agents.values()].filter((agent) => authority(agent) === 'full').map(({ name }) => nameInRows(name))
    : null

const nameInRows = (name: string): string => actorName({ kind: 'orchestrator', name, taskId: null, runId: null })
