/** Who may do more than whom, and what an agent's word may set going by whom. */
import { actorName } from '../core/actor.ts'
import type { Beyond } from '../core/gates/command-approval.ts'
import type { Task } from '../core/task.ts'
import type { Agent } from './agent.ts'
import type { Permissions } from '../core/vocabulary.ts'
import { WHOLE_BOARD } from '../core/vocabulary.ts'
import { isInReview } from '../core/status.ts'
import { harnessOf } from '../harnesses/index.ts'
import type { Roster } from './roster.ts'

/** From narrow to wide. Who has to ask before each step does less than who need not. */
const WIDTH: readonly Permissions[] = ['read', 'ask', 'edit', 'full']

const isWider = (one: Permissions, other: Permissions): boolean => WIDTH.indexOf(one) > WIDTH.indexOf(other)

/** As whom an agent writes that no file describes, such as a person's own assistant. */
export const UNKNOWN_AUTHOR: Permissions = 'edit'

/**
 * How far the word of an agent carries. Who steers the board hands work to others and does none: a reader among them
 * may give work to those who edit.
 */
export const authority = ({ permissions, tools }: Pick<Agent, 'permissions' | 'tools'>): Permissions =>
  tools.includes(WHOLE_BOARD) && isWider('edit', permissions) ? 'edit' : permissions

/** What somebody would do with an agent's words that their author may not have done; null: nothing. */
export function beyond(author: Permissions, runner: Pick<Agent, 'permissions' | 'harness'>): Beyond | null {
  if (author === 'full') return null
  if (harnessOf(runner).runsTheCard) return 'script'
  return isWider(runner.permissions, author) ? 'wider' : null
}

/**
 * The same of a card as it stands, by the agents as they are now: files change while cards wait. Whom a board names to
 * review the work of all may do more than they may.
 */
export function beyondItsAuthor(
  { createdBy, createdByRun, status, reviewer }: Pick<Task, 'createdBy' | 'createdByRun' | 'status' | 'reviewer'>,
  runner: Pick<Agent, 'permissions' | 'harness'>,
  { agents }: Pick<Roster, 'agents'>,
): Beyond | null {
  if (createdByRun === null) return null
  const author = authorOf({ createdBy }, agents)
  const found = beyond(author === undefined ? UNKNOWN_AUTHOR : authority(author), runner)
  return found === 'wider' && isInReview(status) && reviewer === null ? null : found
}

/**
 * Whether a run made the card whose agent names no folder beyond its own; who may do everything, or steers the board, may
 * name any.
 */
export function isKeptToFolder(
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
 * Where whoever takes a card runs its body as a script: those whose body it runs unasked, as rows name them. Null: to
 * this one a body is a text.
 */
export const trustedBy = (
  runner: Pick<Agent, 'harness'>,
  { agents }: Pick<Roster, 'agents'>,
): readonly string[] | null =>
  harnessOf(runner).runsTheCard
    ? [...agents.values()].filter((agent) => authority(agent) === 'full').map(({ name }) => nameInRows(name))
    : null

const nameInRows = (name: string): string => actorName({ kind: 'orchestrator', name, taskId: null, runId: null })
