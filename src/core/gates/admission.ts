/**
 * The gates between a card and its next run. Each closed gate gives a reason, and a claim is refused with the first
 * reason.
 */
import type { Account } from '../account.ts'
import type { Board } from '../board.ts'
import { awaitsApproval } from './command-approval.ts'
import type { ApprovalCause } from './command-approval.ts'
import type { TaskId } from '../ids.ts'
import { obstacle } from '../reasons/reason.ts'
import type { Obstacle, Reason } from '../reasons/reason.ts'
import { withRemedies } from '../reasons/remedies.ts'
import type { Slot, SlotKey } from '../slot.ts'
import type { Task } from '../task.ts'
import { SLOT_KINDS } from '../vocabulary.ts'
import { hoursObstacles } from './hours-gate.ts'
import type { LocalHours } from './hours-gate.ts'
import { locationObstacles } from './workspace-gates.ts'
import type { BranchHolder } from './workspace-gates.ts'

/** Caps that apply to one claim; null means no cap of that kind. */
export interface Caps {
  readonly machine: number | null
  readonly agent: number | null
  readonly account: number | null
}

export interface OpenRuns {
  readonly machine: number
  readonly board: number
  readonly agent: number
  readonly account: number
}

export interface Admission {
  readonly task: Task
  readonly board: Board
  readonly now: number
  readonly openParents: readonly TaskId[]
  readonly slots: readonly Slot[]
  readonly account: Account | null
  readonly openRuns: OpenRuns
  readonly caps: Caps
  /** Another card that is running in this card's directory. */
  readonly directoryUser: TaskId | null
  /** Other cards with a worktree on the branch that this card names. */
  readonly branchHolders: readonly BranchHolder[]
  /** The machine that would start the card. Null means any machine. */
  readonly machine: string | null
  /** Whether the board's reviewer has worked on the card. */
  readonly reviewerIsAuthor: boolean
  /** The state of the agent on this machine; absent if the caller does not know the agents. */
  readonly agent?: { readonly known: boolean; readonly harnessInstalled: boolean }
  /** Why the agent needs approval for the card; absent if the caller does not know the agents. */
  readonly approvalCause?: ApprovalCause | null
  /** The active hours; absent if the caller does not know the machine that would start the card. */
  readonly localHours?: LocalHours | null
}

/** Every reason why this card may not start automatically now; empty if it may start. */
export function reasonsToWait(admission: Admission): Reason[] {
  const byStatus = statusObstacles(admission)
  return explained(byStatus.length > 0 ? byStatus : gateObstacles(admission), admission)
}

/** Every obstacle, including those that would remain after the status or the board changes. */
export const everyObstacle = (admission: Admission): Obstacle[] => {
  const { board } = admission
  const open = { ...admission, board: { ...board, archivedAt: null } }
  return [
    ...(board.archivedAt === null ? [] : statusObstacles(admission)),
    ...statusObstacles(open),
    ...gateObstacles(open),
  ]
}

const explained = (found: readonly Obstacle[], context: Pick<Admission, 'task' | 'openParents'>): Reason[] =>
  found.map((one) => withRemedies(one, context))

const gateObstacles = (admission: Admission): Obstacle[] => [
  ...parentObstacles(admission),
  ...personObstacles(admission),
  ...agentObstacles(admission),
  ...timeObstacles(admission),
  ...workspaceObstacles(admission),
  ...locationObstacles(admission.task, admission.machine, admission.branchHolders),
  ...activeHoursObstacles(admission),
  ...pauseObstacles(admission),
  ...capObstacles(admission),
]

type ManualAdmission = Pick<Admission, 'task' | 'board' | 'openParents' | 'directoryUser'>

/** The reasons that also stop a person's claim. People are exempt from caps, waits and pauses. */
export const reasonsAgainstManual = (admission: ManualAdmission): Reason[] => {
  const byStatus = statusObstacles(admission)
  const found = byStatus.length > 0 ? byStatus : [...parentObstacles(admission), ...workspaceObstacles(admission)]
  return explained(found, admission)
}

function statusObstacles({ task, board }: Pick<Admission, 'task' | 'board'>): Obstacle[] {
  if (task.deletedAt !== null) return [obstacle('deleted', {})]
  if (board.archivedAt !== null) return [obstacle('board_archived', { board: board.slug })]
  switch (task.status) {
    case 'done':
    case 'archived':
      return [obstacle('finished', { status: task.status })]
    case 'running':
      return [obstacle('running', { run: null, ending: null })]
    case 'triage':
      return [triageObstacle(task)]
    case 'blocked':
      return [blockObstacle(task)]
    case 'scheduled':
      return [
        task.scheduledAt === null
          ? obstacle('parked', {})
          : obstacle('scheduled', { at: task.scheduledAt }, task.scheduledAt),
      ]
    case 'todo':
    case 'ready':
    case 'review':
      return []
  }
}

/** A card in triage that has a block kind was moved there by the loop breaker. */
function triageObstacle({ blockKind: kind, blockReason, blockedBy, recentBlocks }: Task): Obstacle {
  if (kind === null) return obstacle('triage', {})
  const times = recentBlocks.filter((block) => block.kind === kind).length
  return obstacle('block_loop', { kind, times, question: blockReason, by: blockedBy })
}

/** Failures and missing verdicts have separate counters; the larger one counts. */
const failuresInRow = ({ consecutiveFailures, protocolViolations }: Task): number =>
  Math.max(consecutiveFailures, protocolViolations)

function blockObstacle(task: Task): Obstacle {
  const { blockKind, blockReason: reason, blockedBy: by, lastError: error } = task
  const failures = failuresInRow(task)
  switch (blockKind) {
    case 'breaker':
      return obstacle('breaker_open', { failures, error, reason })
    case 'attempts':
      return obstacle('attempts_spent', { error, reason })
    case null:
      return obstacle('blocked', { kind: 'needs_input', reason, by })
    default:
      return obstacle('blocked', { kind: blockKind, reason, by })
  }
}

const SHOWN_PARENTS = 5

function parentObstacles({ openParents }: Pick<Admission, 'openParents'>): Obstacle[] {
  const parents = openParents.slice(0, SHOWN_PARENTS).map((id) => ({ id, title: null, status: null }))
  return openParents.length === 0 ? [] : [obstacle('parents_open', { count: openParents.length, parents })]
}

function personObstacles({ task, approvalCause = null }: Admission): Obstacle[] {
  return [
    ...(task.held ? [obstacle('held', { reason: null, by: null })] : []),
    ...(awaitsApproval(task, approvalCause) ? [obstacle('commands_unapproved', { beyond: approvalCause })] : []),
  ]
}

/**
 * The agent that would run the card. In review this is its reviewer or the board's reviewer, otherwise its assignee.
 */
export const runnerOf = (
  task: Pick<Task, 'status' | 'assignee' | 'reviewer'>,
  board: Board,
  reviewerIsAuthor: boolean,
): string | null => (task.status === 'review' ? reviewerOf(task, board, reviewerIsAuthor) : task.assignee)

/** Like `runnerOf`, but an unassigned card gets the board's default assignee. */
export const agentToRun = (task: Task, board: Board, reviewerIsAuthor: boolean): string | null =>
  runnerOf(task, board, reviewerIsAuthor) ?? (task.status === 'review' ? null : board.settings.defaultAssignee)

/**
 * The reviewer of a card. The board's reviewer does not review cards that it is assigned to or has worked on, because
 * that would be its own work. A reviewer that the card itself names may be the author.
 */
export function reviewerOf(
  { reviewer, assignee }: Pick<Task, 'reviewer' | 'assignee'>,
  board: Board,
  reviewerIsAuthor: boolean,
): string | null {
  const byDefault = board.settings.reviewer
  return reviewer ?? (byDefault === assignee || reviewerIsAuthor ? null : byDefault)
}

/**
 * The board's reviewer, if the card names no reviewer. A reviewer may not review its own work, so callers must check
 * whether this reviewer worked on the card.
 */
export const possibleSelfReviewer = (task: Pick<Task, 'reviewer'> | undefined, { settings }: Board): string | null =>
  task === undefined || task.reviewer !== null ? null : settings.reviewer

function agentObstacles({ task, board, agent, reviewerIsAuthor }: Admission): Obstacle[] {
  const runner = runnerOf(task, board, reviewerIsAuthor)
  const inReview = task.status === 'review'
  if (runner === null)
    return [
      inReview ? obstacle('review_by_person', { boardReviewer: board.settings.reviewer }) : obstacle('unassigned', {}),
    ]
  if (inReview && task.breakerOpen)
    return [obstacle('reviewer_failed', { reviewer: runner, failures: task.reviewFailures })]
  const role = inReview ? 'reviewer' : 'assignee'
  if (agent && !agent.known) return [obstacle('agent_unknown', { agent: runner, role })]
  if (agent && !agent.harnessInstalled) return [obstacle('program_missing', { agent: runner, role, program: null })]
  return []
}

function timeObstacles({ task, now }: Admission): Obstacle[] {
  const { cooldownUntil, guardUntil } = task
  const failures = task.status === 'review' ? task.reviewFailures : failuresInRow(task)
  const found: Obstacle[] = []
  if (cooldownUntil !== null && cooldownUntil > now)
    found.push(
      task.cooldownReason === 'rate_limit'
        ? obstacle('rate_limit_wait', {}, cooldownUntil)
        : obstacle('retry_wait', { failures, error: task.lastError }, cooldownUntil),
    )
  if (guardUntil !== null && guardUntil > now)
    found.push(obstacle(task.guardReason === 'active_pr' ? 'pull_request_linked' : 'recent_success', {}, guardUntil))
  return found
}

function workspaceObstacles({
  task,
  board,
  directoryUser,
}: Pick<Admission, 'task' | 'board' | 'directoryUser'>): Obstacle[] {
  if (task.workspace.state === 'sweeping') return [obstacle('workspace_sweeping', {})]
  if (directoryUser === null || board.settings.sharedDirectories) return []
  return [obstacle('directory_busy', { card: directoryUser })]
}

const activeHoursObstacles = ({ board, localHours, now }: Admission): Obstacle[] =>
  localHours == null ? [] : hoursObstacles(board, localHours, now)

function pauseObstacles({ slots, account, now }: Admission): Obstacle[] {
  const found: Obstacle[] = slots
    .filter((slot) => isSlotPaused(slot, now))
    .map(({ kind, name, pauseReason, pausedUntil }) =>
      obstacle('paused', { kind, name, reason: pauseReason }, pausedUntil),
    )
  return account === null ? found : [...found, ...accountObstacles(account, now)]
}

function accountObstacles(account: Account, now: number): Obstacle[] {
  const { name, pauseCause: cause, pauseReason: reason, pausedUntil, probeRunId } = account
  if (isPaused(account, now)) return [obstacle('account_paused', { account: name, cause, reason }, pausedUntil)]
  return probeRunId === null ? [] : [obstacle('account_probed', { account: name, run: probeRunId })]
}

export const isSlotPaused = ({ pausedAt, pausedUntil }: Slot, now: number): boolean =>
  pausedAt !== null && (pausedUntil === null || pausedUntil > now)

export const isPaused = (account: Account, now: number): boolean =>
  account.pauseCause !== null && (account.pausedUntil === null || account.pausedUntil > now)

/**
 * Whether the wait for a quota is over, but no run has tried the quota yet. The quota may still be used up, so one run,
 * the probe, tests it first.
 */
export const awaitsProbe = (account: Account | null, now: number): boolean =>
  account !== null && account.pauseCause === 'quota' && !isPaused(account, now) && account.probeRunId === null

/** The maximum number of open runs for a machine, a board, an agent and an account. Null means no limit. */
export const limitsFor = (caps: Caps, board: Board): Readonly<Record<SlotKey['kind'], number | null>> => ({
  machine: caps.machine,
  board: board.settings.maxRunning,
  agent: smaller(caps.agent, board.settings.maxPerAgent),
  account: smaller(caps.account, board.settings.maxPerAccount),
})

function capObstacles({ openRuns, caps, board }: Admission): Obstacle[] {
  const limits = limitsFor(caps, board)
  return SLOT_KINDS.flatMap((cap) => {
    const [used, limit] = [openRuns[cap], limits[cap]]
    return limit === null || used < limit ? [] : [obstacle('cap_reached', { cap, used, limit })]
  })
}

const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
