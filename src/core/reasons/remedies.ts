/**
 * The operations that clear each reason, limited to those that core accepts from a person now. A remedy that is refused is
 * worse than none, so every rule here repeats the guard of its verb; a property test compares the two.
 */
import { isSatisfied } from '../gates/readiness.ts'
import { gateOf } from './reason.ts'
import type { AgentRole, Obstacle, Reason, ReasonParams, Remedy } from './reason.ts'
import type { Task } from '../task.ts'
import { isElsewhere } from '../gates/workspace-gates.ts'

export interface RemedyContext {
  readonly task: Task
  /** Parents that gate the card. */
  readonly openParents: readonly unknown[]
  /** Whether the folder of a parent is being removed: until then the card cannot be restored or reopened. */
  readonly parentSweeping?: boolean
  /** The machine that asks; null if it is unknown. */
  readonly machine?: string | null
}

export const withRemedies = (found: Obstacle, around: RemedyContext): Reason => ({
  ...found,
  gate: gateOf(found),
  remedies: remediesFor(found, around),
})

function remediesFor(found: Obstacle, around: RemedyContext): readonly Remedy[] {
  const { task } = around
  const call = (operation: Remedy['operation'], ...asks: string[]): Remedy => ({
    operation,
    input: { task: task.id },
    asks,
  })
  switch (found.code) {
    case 'deleted':
      return around.parentSweeping && !isSatisfied(task.status) ? [] : [call('undelete')]
    case 'finished':
      return around.parentSweeping || task.workspace.state === 'sweeping' ? [] : [call('reopen')]
    case 'running':
      return runRemedies(found.params, task)
    case 'retry_wait':
      return [
        ...(mayPromote(around) ? [call('promote')] : []),
        ...(lacksPlace(task) ? [call('edit', 'workspace')] : []),
      ]
    case 'triage':
    case 'recent_success':
    case 'pull_request_linked':
      return mayPromote(around) ? [call('promote')] : []
    case 'block_loop':
      return mayPromote(around) ? [call('promote', 'reason')] : []
    case 'blocked':
      return [call('unblock', 'reason')]
    case 'attempts_spent':
      return [{ operation: 'unblock', input: { task: task.id, reset: true }, asks: [] }]
    case 'breaker_open':
      return [...(lacksPlace(task) ? [call('edit', 'workspace')] : []), call('unblock')]
    case 'scheduled':
    case 'parked':
      return [call('unblock')]
    case 'parents_open':
      return mayPromote({ task, openParents: [] })
        ? [{ operation: 'promote', input: { task: task.id, force: true }, asks: [] }]
        : []
    case 'held':
      return [call('release')]
    case 'commands_unapproved':
      return [call('approve-commands')]
    case 'unassigned':
      return [call('assign', 'assignee')]
    case 'agent_unknown':
    case 'agent_file_broken':
    case 'agents_unreadable':
    case 'program_missing':
      return anotherAgent(found.params.role, around)
    case 'agent_file_changed':
    case 'agent_unapproved':
      return [{ operation: 'agents approve', input: { folder: found.params.folder }, asks: [] }]
    case 'review_assigned':
    case 'review_by_person':
      return reviewByHand(around)
    case 'reviewer_failed':
      return [...reviewByHand(around), call('edit', 'reviewer')]
    case 'body_missing':
      return [call('edit', 'body')]
    case 'body_too_long':
      return [call('assign', 'assignee')]
    case 'skills_missing':
      return found.params.from === 'card' ? [call('edit', 'skills')] : []
    case 'model_without_provider':
      return found.params.from === 'card' ? [call('edit', 'model')] : []
    case 'effort_unknown':
      return found.params.from === 'card' ? [call('edit', 'effort')] : []
    case 'files_elsewhere':
      return withoutFiles(around)
    case 'branch_on_board':
      return [...discarding(found.params), ...anotherBranch(task)]
    case 'branch_in_use':
    case 'branch_elsewhere':
    case 'branch_checked_out':
    case 'branch_clash':
      return anotherBranch(task)
    case 'board_archived':
      return [{ operation: 'boards unarchive', input: { slug: found.params.board }, asks: [] }]
    case 'paused':
      return [{ operation: 'resume', input: { kind: found.params.kind, name: found.params.name }, asks: [] }]
    case 'account_paused':
      return [{ operation: 'resume', input: { kind: 'account', name: found.params.account }, asks: [] }]
    case 'no_dispatcher':
    case 'dispatcher_hung':
      return [{ operation: 'up', input: {}, asks: [] }]
    case 'supervisor_lost':
    case 'disk_full':
    case 'store_damaged':
    case 'rate_limit_wait':
    case 'workspace_sweeping':
    case 'directory_busy':
    case 'branch_sweeping':
    case 'worktree_switched':
    case 'account_probed':
    case 'cap_reached':
    case 'next_pass':
      return []
  }
}

const discarding = ({ card, discardable }: ReasonParams['branch_on_board']): readonly Remedy[] =>
  discardable ? [{ operation: 'gc', input: { discard: card, apply: true }, asks: [] }] : []

const anotherBranch = ({ id, workspace }: Task): readonly Remedy[] =>
  workspace.base === null ? [{ operation: 'edit', input: { task: id }, asks: ['branch'] }] : []

/** A review needs the files, so a card in review is reopened first. */
function withoutFiles({ task, parentSweeping = false }: RemedyContext): readonly Remedy[] {
  const { id, status, resumeStatus, workspace } = task
  if (status === 'review')
    return parentSweeping || workspace.state === 'sweeping'
      ? []
      : [{ operation: 'reopen', input: { task: id }, asks: [] }]
  if (status === 'running' || resumeStatus === 'review') return []
  return [{ operation: 'edit', input: { task: id, freshWorkspace: true }, asks: [] }]
}

/** Whether the last start failed before the card had files: its directory or repository may be the wrong one. */
const lacksPlace = ({ startedAt, status, workspace }: Task): boolean =>
  startedAt !== null && status !== 'running' && workspace.kind !== 'scratch' && workspace.state === 'none'

/** Promoting past open parents removes those dependencies, so only the reason about parents offers it. */
function mayPromote({ task, openParents }: Pick<RemedyContext, 'task' | 'openParents'>): boolean {
  if (openParents.length > 0) return false
  const waits = task.guardUntil !== null || task.cooldownUntil !== null
  return ['triage', 'todo', 'blocked'].includes(task.status) || (task.status === 'ready' && waits)
}

function runRemedies({ run, ending }: Extract<Obstacle, { code: 'running' }>['params'], task: Task): readonly Remedy[] {
  const call = (operation: Remedy['operation']): Remedy => ({ operation, input: { task: task.id }, asks: [] })
  if (run === null || ending !== null) return []
  if (run.kind === 'agent') return [call('stop')]
  return task.checks.length === 0 ? [call('complete'), call('reclaim')] : [call('reclaim')]
}

function anotherAgent(role: AgentRole, around: RemedyContext): readonly Remedy[] {
  const { id, board } = around.task
  const assign: Remedy = { operation: 'assign', input: { task: id }, asks: ['assignee'] }
  switch (role) {
    case 'assignee':
      return [assign]
    case 'default_assignee':
      return [assign, { operation: 'boards set', input: { slug: board }, asks: ['defaultAssignee'] }]
    case 'reviewer':
      return [{ operation: 'edit', input: { task: id }, asks: ['reviewer'] }, ...reviewByHand(around)]
  }
}

/** Approving runs the checks first: where the files are, and after a person has approved checks written by an agent. */
function reviewByHand({ task, openParents, machine = null }: RemedyContext): readonly Remedy[] {
  if (task.status !== 'review') return []
  const input = { task: task.id }
  const changes: Remedy = { operation: 'request-changes', input, asks: ['reason'] }
  const canCheck = task.commandsApproved && !isElsewhere(task.workspace, machine)
  const mayApprove = openParents.length === 0 && (task.checks.length === 0 || canCheck)
  return mayApprove ? [{ operation: 'approve', input, asks: [] }, changes] : [changes]
}
