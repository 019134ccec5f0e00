/**
 * The operations that clear each reason, limited to those that core accepts from a person now. A refused remedy is worse
 * than no remedy, so every rule here repeats the guard of its verb. A property test compares the two.
 */
import { canPromote } from '../gates/readiness.ts'
import { isElsewhere } from '../gates/workspace-gates.ts'
import { isInReview, isRunning, isSatisfied, resumesInReview } from '../status.ts'
import type { Task } from '../task.ts'
import { gateOf } from './reason.ts'
import type { AgentRole, Obstacle, Reason, ReasonCode, ReasonParams, Remedy } from './reason.ts'

export interface RemedyContext {
  readonly task: Task
  /** Parents that gate the card. */
  readonly openParents: readonly unknown[]
  /**
   * Whether the folder of a parent is being removed. The card cannot be restored or reopened until the folder is gone.
   */
  readonly parentSweeping?: boolean
  /** The machine of the caller; null if it is unknown. */
  readonly machine?: string | null
}

type RemediesFor<C extends ReasonCode> = (context: RemedyContext, params: ReasonParams[C]) => readonly Remedy[]

const onCard = ({ task }: Pick<RemedyContext, 'task'>, operation: Remedy['operation'], ...asks: string[]): Remedy => ({
  operation,
  input: { task: task.id },
  asks,
})

const when = (isLegal: boolean, ...remedies: readonly Remedy[]): readonly Remedy[] => (isLegal ? remedies : [])

/** For a reason that ends without a command, or that no command can end. */
const noRemedy = (): readonly Remedy[] => []

const promote = (context: RemedyContext): readonly Remedy[] => when(mayPromote(context), onCard(context, 'promote'))
const unblock = (context: RemedyContext): readonly Remedy[] => [onCard(context, 'unblock')]
const assign = (context: RemedyContext): readonly Remedy[] => [onCard(context, 'assign', 'assignee')]
const startDispatcher = (): readonly Remedy[] => [{ operation: 'up', input: {}, asks: [] }]

const anotherWorkspace = (context: RemedyContext): readonly Remedy[] =>
  when(neverHadFiles(context.task), onCard(context, 'edit', 'workspace'))

/** Offers another base, because the last start may have failed because the base does not exist. */
const anotherBase = (context: RemedyContext): readonly Remedy[] =>
  when(context.task.base !== null && neverHadFiles(context.task), onCard(context, 'edit', 'base'))

const anotherBranch = (context: RemedyContext): readonly Remedy[] =>
  when(context.task.workspace.base === null, onCard(context, 'edit', 'branch'))

const anotherAgent = (context: RemedyContext, { role }: { readonly role: AgentRole }): readonly Remedy[] =>
  ANOTHER_AGENT[role](context)

const approveAgents = (_: RemedyContext, { folder }: { readonly folder: string }): readonly Remedy[] => [
  { operation: 'agents approve', input: { folder }, asks: [] },
]

/** Offers an edit of the field on the card. If the agent's file sets the value, only a change of that file helps. */
const editOnCard =
  (field: string) =>
  (context: RemedyContext, { from }: { readonly from: 'card' | 'agent' }): readonly Remedy[] =>
    when(from === 'card', onCard(context, 'edit', field))

const REMEDIES: { readonly [C in ReasonCode]: RemediesFor<C> } = {
  deleted: (context) => when(!context.parentSweeping || isSatisfied(context.task.status), onCard(context, 'undelete')),
  finished: (context) => when(mayReopen(context), onCard(context, 'reopen')),
  running: runRemedies,
  triage: promote,
  block_loop: (context) => when(mayPromote(context), onCard(context, 'promote', 'reason')),
  blocked: (context, { kind }) => [
    kind === 'needs_input' ? onCard(context, 'answer', 'text') : onCard(context, 'unblock', 'reason'),
  ],
  breaker_open: (context) => [...anotherBase(context), ...anotherWorkspace(context), ...unblock(context)],
  attempts_spent: ({ task }) => [{ operation: 'unblock', input: { task: task.id, reset: true }, asks: [] }],
  board_archived: (_, { board }) => [{ operation: 'boards unarchive', input: { slug: board }, asks: [] }],
  parents_open: ({ task }) =>
    when(canPromote(task), { operation: 'promote', input: { task: task.id, force: true }, asks: [] }),
  held: (context) => [onCard(context, 'release')],
  scheduled: unblock,
  parked: unblock,
  commands_unapproved: (context) => [onCard(context, 'approve-commands')],
  unassigned: assign,
  agent_unknown: anotherAgent,
  agent_file_broken: anotherAgent,
  agent_file_changed: approveAgents,
  agents_unreadable: anotherAgent,
  agent_unapproved: approveAgents,
  program_missing: anotherAgent,
  review_assigned: reviewByHand,
  review_by_person: reviewByHand,
  reviewer_failed: (context) => [...reviewByHand(context), onCard(context, 'edit', 'reviewer')],
  body_missing: (context) => [onCard(context, 'edit', 'body')],
  body_too_long: assign,
  skills_missing: editOnCard('skills'),
  model_without_provider: editOnCard('model'),
  effort_unknown: editOnCard('effort'),
  retry_wait: (context) => [...promote(context), ...anotherBase(context), ...anotherWorkspace(context)],
  rate_limit_wait: noRemedy,
  recent_success: promote,
  pull_request_linked: promote,
  workspace_sweeping: noRemedy,
  directory_busy: noRemedy,
  files_elsewhere: startWithoutFiles,
  branch_in_use: anotherBranch,
  branch_sweeping: noRemedy,
  branch_elsewhere: anotherBranch,
  branch_on_board: (context, { card, discardable }) => [
    ...when(discardable, { operation: 'gc', input: { discard: card, apply: true }, asks: [] }),
    ...anotherBranch(context),
  ],
  branch_checked_out: anotherBranch,
  worktree_switched: noRemedy,
  branch_clash: anotherBranch,
  outside_hours: (_, { of, name }) =>
    when(of === 'board', { operation: 'boards set', input: { slug: name }, asks: ['activeHours'] }),
  paused: (_, { kind, name }) => [{ operation: 'resume', input: { kind, name }, asks: [] }],
  account_paused: (_, { account }) => [{ operation: 'resume', input: { kind: 'account', name: account }, asks: [] }],
  fallback_used: (_, { account }) => [{ operation: 'resume', input: { kind: 'account', name: account }, asks: [] }],
  account_probed: noRemedy,
  cap_reached: noRemedy,
  supervisor_lost: noRemedy,
  no_dispatcher: startDispatcher,
  dispatcher_hung: (_, { suspended }) => (suspended ? [] : startDispatcher()),
  disk_full: noRemedy,
  store_damaged: noRemedy,
  next_pass: noRemedy,
}

export function withRemedies(found: Obstacle, context: RemedyContext): Reason {
  // The obstacle has the parameters of its code, but the compiler cannot infer this from the table.
  const remediesFor = REMEDIES[found.code] as RemediesFor<ReasonCode>
  return { ...found, gate: gateOf(found), remedies: remediesFor(context, found.params) }
}

const ANOTHER_AGENT: Readonly<Record<AgentRole, (context: RemedyContext) => readonly Remedy[]>> = {
  assignee: assign,
  default_assignee: (context) => [
    ...assign(context),
    { operation: 'boards set', input: { slug: context.task.board }, asks: ['defaultAssignee'] },
  ],
  reviewer: (context) => [onCard(context, 'edit', 'reviewer'), ...reviewByHand(context)],
}

const mayReopen = ({ task, parentSweeping = false }: RemedyContext): boolean =>
  !parentSweeping && task.workspace.state !== 'sweeping'

/** Offers a start without the files. A review needs the files, so a card in review must be reopened first. */
function startWithoutFiles(context: RemedyContext): readonly Remedy[] {
  const { id, status } = context.task
  if (isInReview(status)) return when(mayReopen(context), onCard(context, 'reopen'))
  const isLegal = !isRunning(status) && !resumesInReview(context.task)
  return when(isLegal, { operation: 'edit', input: { task: id, freshWorkspace: true }, asks: [] })
}

/** Whether the last start failed before the card had files. Its directory or repository may then be wrong. */
const neverHadFiles = ({ startedAt, status, workspace }: Task): boolean =>
  startedAt !== null && !isRunning(status) && workspace.kind !== 'scratch' && workspace.state === 'none'

/**
 * Whether promoting can help. If the card has open parents, promoting would remove those dependencies, so only the
 * reason about parents offers it.
 */
function mayPromote({ task, openParents }: RemedyContext): boolean {
  if (openParents.length > 0) return false
  return canPromote(task)
}

function runRemedies(context: RemedyContext, { run, ending }: ReasonParams['running']): readonly Remedy[] {
  if (run === null || ending !== null) return []
  if (run.kind === 'agent') return [onCard(context, 'stop')]
  return [...when(context.task.checks.length === 0, onCard(context, 'complete')), onCard(context, 'reclaim')]
}

/**
 * Remedies for a review by a person. Approving runs the checks first, which need the files and, if an agent wrote them,
 * approval.
 */
function reviewByHand(context: RemedyContext): readonly Remedy[] {
  const { task, openParents, machine = null } = context
  if (!isInReview(task.status)) return []
  const canCheck = task.commandsApproved && !isElsewhere(task.workspace, machine)
  const mayApprove = openParents.length === 0 && (task.checks.length === 0 || canCheck)
  return [...when(mayApprove, onCard(context, 'approve')), onCard(context, 'request-changes', 'reason')]
}
