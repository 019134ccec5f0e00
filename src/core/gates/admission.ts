/**
 * The gates are the conditions that a card must pass before its next run. Each closed gate gives a reason. A refused
 * claim reports the first reason.
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
import { NEVER } from '../planning.ts'
import { SWARM_NAME } from '../swarm.ts'
import type { Verification } from '../swarm.ts'
import type { Task } from '../task.ts'
import { SLOT_KINDS } from '../vocabulary.ts'
import { awaitsPick, isWithoutEntries } from '../tournament/tournament.ts'
import type { Entry } from '../tournament/tournament.ts'
import { noEntryLeft, tournamentObstacles } from './tournament-gate.ts'
import { hoursObstacles } from './hours-gate.ts'
import type { LocalHours } from './hours-gate.ts'
import { verificationObstacles } from './verification.ts'
import { locationObstacles } from './workspace-gates.ts'
import type { BranchHolder } from './workspace-gates.ts'

/** The limits that apply to one claim. Null means that no limit of that kind applies. */
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
  /** The id of the machine that would start the card. Null means any machine. */
  readonly machine: string | null
  /** The entries of the card's tournament. This is absent if the caller has not read them. */
  readonly entries?: readonly Entry[]
  /** Whether the board's reviewer has worked on the card. */
  readonly reviewerIsAuthor: boolean
  /** The state of the agent on this machine. This is absent if the caller has not read the agent files. */
  readonly agent?: { readonly known: boolean; readonly harnessInstalled: boolean }
  /**
   * The reason why the agent needs approval for the card. This is absent if the caller has not read the agent files.
   */
  readonly approvalCause?: ApprovalCause | null
  /** The verifier that the card waits for. It is null or absent if the card is not a synthesizer. */
  readonly verification?: Verification | null
  /** The active hours. They are absent if the caller does not know which machine would start the card. */
  readonly localHours?: LocalHours | null
}

/** Every reason why a dispatcher may not start this card now. The list is empty if the card may start. */
export function reasonsToWait(admission: Admission): Reason[] {
  const byStatus = statusObstacles(admission)
  return explained(byStatus.length > 0 ? byStatus : gateObstacles(admission), admission)
}

/** Every obstacle of the card. All are collected, so that a person sees them at once and not one by one. */
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

const gateObstacles = (admission: Admission): Obstacle[] =>
  awaitsPick(admission.task) ? tournamentGates(admission) : startGates(admission)

/** A tournament never starts, so agents, limits and pauses do not matter. */
const tournamentGates = (admission: Admission): Obstacle[] => [
  ...tournamentObstacles(admission),
  ...holdObstacles(admission),
]

const startGates = (admission: Admission): Obstacle[] => [
  ...parentObstacles(admission),
  ...verificationObstacles(admission),
  ...personObstacles(admission),
  ...agentObstacles(admission),
  ...timeObstacles(admission),
  ...workspaceObstacles(admission),
  ...locationObstacles(admission.task, admission.machine, admission.branchHolders),
  ...activeHoursObstacles(admission),
  ...pauseObstacles(admission),
  ...capObstacles(admission),
]

type ManualAdmission = Pick<Admission, 'task' | 'board' | 'openParents' | 'directoryUser' | 'verification' | 'now'>

/** The reasons that also keep a person from claiming the card. Limits, waits and pauses do not apply to people. */
export const reasonsAgainstManual = (admission: ManualAdmission): Reason[] => {
  const byStatus = statusObstacles(admission)
  const found =
    byStatus.length > 0
      ? byStatus
      : [
          ...parentObstacles(admission),
          ...verificationObstacles(admission),
          ...tournamentObstacles(admission),
          ...workspaceObstacles(admission),
        ]
  return explained(found, admission)
}

function statusObstacles({ task, board, entries }: Pick<Admission, 'task' | 'board' | 'entries'>): Obstacle[] {
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
      return [isWithoutEntries(task) ? noEntryLeft(task, entries) : blockObstacle(task)]
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

/** The obstacle of a card in triage. If such a card has a block kind, it was blocked too often. */
function triageObstacle(task: Task): Obstacle {
  const { blockKind: kind, blockReason, blockedBy, recentBlocks } = task
  if (kind === null) return task.planFailure === null ? obstacle('triage', {}) : planObstacle(task, task.planFailure)
  const times = recentBlocks.filter((block) => block.kind === kind).length
  return obstacle('block_loop', { kind, times, question: blockReason, by: blockedBy })
}

const planObstacle = ({ planAttempts: attempts, planAfter }: Task, failure: string): Obstacle =>
  obstacle('plan_failed', { failure, attempts }, planAfter === NEVER ? null : planAfter)

/**
 * The number of failures in a row. Failures and missing verdicts have separate counters, and the larger counter
 * decides.
 */
const failuresInRow = ({ consecutiveFailures, protocolViolations }: Task): number =>
  Math.max(consecutiveFailures, protocolViolations)

function blockObstacle(task: Task): Obstacle {
  const { blockKind, blockReason: reason, blockedBy: by, lastError: error } = task
  const failures = failuresInRow(task)
  switch (blockKind) {
    case 'breaker':
      return by === SWARM_NAME
        ? obstacle('rejected_too_often', { times: task.rejections, reason })
        : obstacle('breaker_open', { failures, error, reason })
    case 'attempts':
      return obstacle('attempts_spent', { error, reason })
    case null:
      return obstacle('blocked', { kind: 'needs_input', reason, by })
    default:
      return obstacle('blocked', { kind: blockKind, reason, by })
  }
}

const SHOWN_PARENTS = 5

/** A tournament waits for its entries in its own way. */
function parentObstacles({ task, openParents }: Pick<Admission, 'task' | 'openParents'>): Obstacle[] {
  if (awaitsPick(task)) return []
  const parents = openParents.slice(0, SHOWN_PARENTS).map((id) => ({ id, title: null, status: null }))
  return openParents.length === 0 ? [] : [obstacle('parents_open', { count: openParents.length, parents })]
}

const holdObstacles = ({ task }: Pick<Admission, 'task'>): Obstacle[] =>
  task.held ? [obstacle('held', { reason: null, by: null })] : []

function personObstacles({ task, approvalCause = null }: Admission): Obstacle[] {
  return [
    ...holdObstacles({ task }),
    ...(awaitsApproval(task, approvalCause) ? [obstacle('commands_unapproved', { beyond: approvalCause })] : []),
  ]
}

/**
 * The agent that would run the card now. For a card in review, this is the card's reviewer or the board's reviewer;
 * otherwise the assignee.
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
 * The reviewer of a card. The board's reviewer must not review its own work, so it is skipped for cards that are
 * assigned to it or that it has worked on. A reviewer that the card itself names may also be the worker of the card.
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
 * The board's reviewer, if the card names no reviewer. Callers must check whether this agent worked on the card,
 * because an agent must not review its own work.
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
 * Whether the wait for a quota is over, but no run has used the quota since then. The quota may still be used up, so
 * one run, the probe, tests it first.
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
