/**
 * The operations that clear each reason, if a person may use them now. Offering an operation that is then refused would
 * be worse than offering none. So every rule here repeats the conditions of its verb, and a property test compares the
 * two.
 */
import { canPromote } from '../gates/readiness.ts'
import { isElsewhere } from '../gates/workspace-gates.ts'
import { isArchived, isBlocked, isInReview, isReady, isRunning, isSatisfied, resumesInReview } from '../status.ts'
import type { Task } from '../task.ts'
import { gateOf } from './reason.ts'
import type { AgentRole, Obstacle, Reason, ReasonCode, ReasonParams, Remedy } from './reason.ts'

export interface RemedyContext {
  readonly task: Task
  /** The unfinished parents of the card. */
  readonly openParents: readonly unknown[]
  /** Whether the folder of a parent is being removed. Until this ends, the card cannot be restored or reopened. */
  readonly parentSweeping?: boolean
  /** The id of the caller's machine. Null means that the caller does not know the id. */
  readonly machine?: string | null
}

type RemediesFor<C extends ReasonCode> = (context: RemedyContext, params: ReasonParams[C]) => readonly Remedy[]

const onCard = ({ task }: Pick<RemedyContext, 'task'>, operation: Remedy['operation'], ...asks: string[]): Remedy => ({
  operation,
  input: { task: task.id },
  asks,
})

const when = (isLegal: boolean, ...remedies: readonly Remedy[]): readonly Remedy[] => (isLegal ? remedies : [])

/** Empty for reasons that end without a command, or that no command can end. */
const noRemedy = (): readonly Remedy[] => []

const promote = (context: RemedyContext): readonly Remedy[] => when(mayPromote(context), onCard(context, 'promote'))
const unblock = (context: RemedyContext): readonly Remedy[] => [onCard(context, 'unblock')]
const assign = (context: RemedyContext): readonly Remedy[] => [onCard(context, 'assign', 'assignee')]
const startDispatcher = (): readonly Remedy[] => [{ operation: 'up', input: {}, asks: [] }]

const anotherWorkspace = (context: RemedyContext): readonly Remedy[] =>
  when(neverHadFiles(context.task), onCard(context, 'edit', 'workspace'))

/** Offers another base commit. The last start may have failed because the base does not exist. */
const anotherBase = (context: RemedyContext): readonly Remedy[] =>
  when(context.task.base !== null && neverHadFiles(context.task), onCard(context, 'edit', 'base'))

const anotherBranch = (context: RemedyContext): readonly Remedy[] =>
  when(context.task.workspace.base === null, onCard(context, 'edit', 'branch'))

const anotherAgent = (context: RemedyContext, { role }: { readonly role: AgentRole }): readonly Remedy[] =>
  ANOTHER_AGENT[role](context)

const approveAgents = (_: RemedyContext, { folder }: { readonly folder: string }): readonly Remedy[] => [
  { operation: 'agents approve', input: { folder }, asks: [] },
]

/**
 * Offers to edit this field of the card. If the value comes from the agent's file, only a change of that file helps, so
 * nothing is offered.
 */
const editOnCard =
  (field: string) =>
  (context: RemedyContext, { from }: { readonly from: 'card' | 'agent' }): readonly Remedy[] =>
    when(from === 'card', onCard(context, 'edit', field))

const REMEDIES: { readonly [C in ReasonCode]: RemediesFor<C> } = {
  deleted: (context) => when(!context.parentSweeping || isSatisfied(context.task.status), onCard(context, 'undelete')),
  finished: (context) => when(mayReopen(context), onCard(context, 'reopen')),
  running: runRemedies,
  triage: promote,
  plan_failed: promote,
  block_loop: (context) => when(mayPromote(context), onCard(context, 'promote', 'reason')),
  blocked: (context, { kind }) => [
    kind === 'needs_input' ? onCard(context, 'answer', 'text') : onCard(context, 'unblock', 'reason'),
  ],
  breaker_open: (context) => [...anotherBase(context), ...anotherWorkspace(context), ...unblock(context)],
  rejected_too_often: (context) => [...completeByHand(context), ...unblock(context)],
  attempts_spent: ({ task }) => [{ operation: 'unblock', input: { task: task.id, reset: true }, asks: [] }],
  board_archived: (_, { board }) => [{ operation: 'boards unarchive', input: { slug: board }, asks: [] }],
  parents_open: ({ task }) =>
    when(canPromote(task), { operation: 'promote', input: { task: task.id, force: true }, asks: [] }),
  not_approved: withoutApproval,
  entries_open: (context, { passed }) => when((passed ?? 0) > 0, onCard(context, 'pick', 'entry')),
  pick_needed: (context, { passed }) => when((passed ?? 0) > 0, onCard(context, 'pick', 'entry')),
  judge_picks: (context, { passed }) => when((passed ?? 0) > 0, onCard(context, 'pick', 'entry')),
  no_entry_left: (context, { unblockable }) =>
    unblockable.length === 0
      ? when(isBlocked(context.task.status), ...completeByHand(context))
      : unblockable.map((task) => ({ operation: 'unblock', input: { task }, asks: ['reason'] })),
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
  goal_unsupported: assign,
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
  // The cast is safe, because the table has the function for this code. The compiler cannot infer that.
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

/** A completion by a person runs the checks first, which only a machine with the files can do. */
const completeByHand = (context: RemedyContext): readonly Remedy[] =>
  when(context.task.checks.length === 0 && context.openParents.length === 0, onCard(context, 'complete'))

const mayReopen = ({ task, parentSweeping = false }: RemedyContext): boolean =>
  !parentSweeping && task.workspace.state !== 'sweeping'

/**
 * Offers to start the card without its files. A reviewer needs the files, so a card in review must be reopened first.
 */
function startWithoutFiles(context: RemedyContext): readonly Remedy[] {
  const { id, status } = context.task
  if (isInReview(status)) return when(mayReopen(context), onCard(context, 'reopen'))
  const isLegal = !isRunning(status) && !resumesInReview(context.task)
  return when(isLegal, { operation: 'edit', input: { task: id, freshWorkspace: true }, asks: [] })
}

/**
 * Whether the last start failed before the card had files. In that case, the directory or the repository of the card
 * may be wrong.
 */
const neverHadFiles = ({ startedAt, status, workspace }: Task): boolean =>
  startedAt !== null && !isRunning(status) && workspace.kind !== 'scratch' && workspace.state === 'none'

/**
 * Whether promoting the card can help. A promotion also removes dependencies, so it is not offered here for a card with
 * unfinished parents.
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
 * Offers to restore the verifier, or to start without its approval. A verifier that was removed for good has no link
 * that could be waived, so a person can only complete the card by hand.
 */
function withoutApproval(context: RemedyContext, { verifier }: ReasonParams['not_approved']): readonly Remedy[] {
  const { task } = context
  if (verifier === null) return when(isReady(task.status), ...completeByHand(context))
  const { status, deleted, restorable } = verifier
  const input = { task: verifier.id }
  return [
    ...when(restorable && deleted, { operation: 'undelete', input, asks: [] }),
    ...when(restorable && !deleted && isArchived(status), { operation: 'unarchive', input, asks: [] }),
    ...when(canPromote(task) || isReady(task.status), {
      operation: 'promote',
      input: { task: task.id, force: true },
      asks: [],
    }),
  ]
}

/**
 * Offers ways to review the card without an agent. An approval runs the checks first, so the files must be on this
 * machine, and the commands must be approved.
 */
function reviewByHand(context: RemedyContext): readonly Remedy[] {
  const { task, openParents, machine = null } = context
  if (!isInReview(task.status)) return []
  const canCheck = task.commandsApproved && !isElsewhere(task.workspace, machine)
  const mayApprove = openParents.length === 0 && (task.checks.length === 0 || canCheck)
  return [...when(mayApprove, onCard(context, 'approve')), onCard(context, 'request-changes', 'reason')]
}
