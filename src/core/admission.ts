/**
 * Why a card is not running, in order, each with what clears it. The claim refuses with the first; `why` prints all.
 * A card that is not running always has at least one reason: where nothing else holds, it waits for a dispatcher.
 */
import type { Account } from './account.ts'
import type { Board } from './board.ts'
import { awaitsApproval } from './command-approval.ts'
import type { Beyond } from './command-approval.ts'
import type { TaskId } from './ids.ts'
import type { Slot } from './slot.ts'
import type { Task } from './task.ts'

export const GATES = [
  'deleted',
  'finished',
  'running',
  'triage',
  'blocked',
  'board_archived',
  'parents',
  'hold',
  'schedule',
  'command_approval',
  'assignee',
  'reviewer',
  'harness',
  'skill',
  'model',
  'cooldown',
  'respawn_guard',
  'workspace',
  'paused',
  'account_paused',
  'cap',
  'dispatcher',
] as const
export type Gate = (typeof GATES)[number]

export interface Reason {
  readonly gate: Gate
  readonly message: string
  /** What opens this gate, as something to do or to wait for. */
  readonly clears: string
  readonly until: number | null
  /** Which cap is reached, where one is. */
  readonly cap?: ReachedCap
}

export interface ReachedCap {
  readonly cap: 'machine' | 'board' | 'agent' | 'account'
  readonly used: number
  readonly limit: number
}

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
  /** Another card at work in this card's directory. */
  readonly directoryUser: TaskId | null
  /** Whether the board's reviewer was at work on the card itself. */
  readonly ownWork: boolean
  /** What is known of the agent here; absent where nobody looked. */
  readonly agent?: { readonly known: boolean; readonly harnessInstalled: boolean }
  /** What that agent would do with the card that a person has to approve; absent where nobody looked. */
  readonly beyond?: Beyond | null
}

const clock = (at: number): string => new Date(at).toISOString()

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const by = (name: string | null): string => (name === null ? '' : ` by ${name}`)

const reason = (gate: Gate, message: string, clears: string, until: number | null = null): Reason => ({
  gate,
  message,
  clears,
  until,
})

/** Every reason against starting an automatic run of this card now; empty means it may start. */
export function reasonsToWait(admission: Admission): Reason[] {
  const settled = statusReasons(admission)
  return settled.length > 0 ? settled : gateReasons(admission)
}

/** The same, without an end at the first: what would still hold if the status did not. */
export const everyReason = (admission: Admission): Reason[] => {
  const { board } = admission
  const open = { ...admission, board: { ...board, archivedAt: null } }
  return [...(board.archivedAt === null ? [] : statusReasons(admission)), ...statusReasons(open), ...gateReasons(open)]
}

const gateReasons = (admission: Admission): Reason[] => [
  ...parentReasons(admission),
  ...personReasons(admission),
  ...agentReasons(admission),
  ...timeReasons(admission),
  ...workspaceReasons(admission),
  ...pauseReasons(admission),
  ...capReasons(admission),
]

/** The reasons that hold for a person too, who is exempt from caps, waits and pauses. */
export const reasonsAgainstManual = (
  admission: Pick<Admission, 'task' | 'board' | 'openParents' | 'directoryUser'>,
): Reason[] => {
  const settled = statusReasons(admission)
  return settled.length > 0 ? settled : [...parentReasons(admission), ...workspaceReasons(admission)]
}

function statusReasons({ task, board }: Pick<Admission, 'task' | 'board'>): Reason[] {
  if (task.deletedAt !== null) return [reason('deleted', 'The card is in the trash.', `muster undelete ${task.id}`)]
  if (board.archivedAt !== null)
    return [reason('board_archived', `Board ${board.slug} is archived.`, `muster boards unarchive ${board.slug}`)]
  switch (task.status) {
    case 'done':
    case 'archived':
      return [reason('finished', `The card is ${task.status}.`, `muster reopen ${task.id}`)]
    case 'running':
      return [reason('running', 'The card is running.', `It ends by itself, or muster reclaim ${task.id}`)]
    case 'triage':
      return [
        reason('triage', 'The card is in triage: what is to be done is not clear yet.', `muster promote ${task.id}`),
      ]
    case 'blocked':
      return [
        reason(
          'blocked',
          `Blocked (${task.blockKind ?? 'unknown'})${by(task.blockedBy)}: ${task.blockReason ?? 'no reason given'}`,
          `muster unblock ${task.id}`,
        ),
      ]
    case 'scheduled':
      return [
        task.scheduledAt === null
          ? reason('schedule', 'The card is parked without a time.', `muster unblock ${task.id}`)
          : reason(
              'schedule',
              `The card is scheduled for ${clock(task.scheduledAt)}.`,
              'It starts by itself then',
              task.scheduledAt,
            ),
      ]
    case 'todo':
    case 'ready':
    case 'review':
      return []
  }
}

function parentReasons({ task, openParents }: Pick<Admission, 'task' | 'openParents'>): Reason[] {
  if (openParents.length === 0) return []
  const names =
    openParents.slice(0, 5).join(', ') + (openParents.length > 5 ? ` and ${openParents.length - 5} more` : '')
  return [reason('parents', `Waits for ${names}.`, `They finish, or muster promote ${task.id} --force`)]
}

function personReasons({ task, beyond = null }: Admission): Reason[] {
  const reasons: Reason[] = []
  if (task.held) reasons.push(reason('hold', 'The card is on hold.', `muster release ${task.id}`))
  if (awaitsApproval(task, beyond))
    reasons.push(reason('command_approval', UNAPPROVED[beyond ?? 'any'], `muster approve ${task.id} --commands`))
  return reasons
}

const UNAPPROVED = {
  any: 'An agent wrote commands, or named a folder beyond its own, that nobody has approved.',
  script: 'An agent wrote what would be run as a script, and nobody has approved it.',
  wider:
    'An agent wrote it for one that may do more than its author, or for a folder that is another by now, and nobody has approved that.',
} as const

/** Who would run the card: its reviewer (or the board's) in review, else its assignee. */
export const runnerOf = (task: Task, board: Board, ownWork: boolean): string | null =>
  task.status === 'review' ? reviewerOf(task, board, ownWork) : task.assignee

/** The same for a card that nobody has: the board's default assignee takes it. */
export const agentToRun = (task: Task, board: Board, ownWork: boolean): string | null =>
  runnerOf(task, board, ownWork) ?? (task.status === 'review' ? null : board.settings.defaultAssignee)

/**
 * A board's reviewer stands for all cards but those it is assigned to or was at work on: nobody meant it to judge its
 * own work, whoever has the card by now. Whoever the card itself names was meant, even if it is the author.
 */
function reviewerOf(
  { reviewer, assignee }: Pick<Task, 'reviewer' | 'assignee'>,
  board: Board,
  ownWork: boolean,
): string | null {
  const byDefault = board.settings.reviewer
  return reviewer ?? (byDefault === assignee || ownWork ? null : byDefault)
}

/** Of whom it is to be asked whether it was at work on a card: nobody, where that changes nothing. */
export const doubtedReviewer = (task: Pick<Task, 'reviewer'> | undefined, { settings }: Board): string | null =>
  task === undefined || task.reviewer !== null ? null : settings.reviewer

const reviewByHand = ({ id }: Task): string => `muster approve ${id}, or muster request-changes ${id} <why>`

function agentReasons({ task, board, agent, ownWork }: Admission): Reason[] {
  const runner = runnerOf(task, board, ownWork)
  if (task.status === 'review') {
    if (runner === null)
      return [
        reason(
          'reviewer',
          board.settings.reviewer === null
            ? 'Waits for a person to review it.'
            : `Waits for a person to review it: ${board.settings.reviewer} reviews this board, but not its own work.`,
          reviewByHand(task),
        ),
      ]
    if (task.breakerOpen)
      return [
        reason(
          'reviewer',
          `Waits for a person to review it: its reviewer ${runner} failed ${times(task.reviewFailures)}.`,
          `${reviewByHand(task)}, or muster edit ${task.id} --reviewer <agent>`,
        ),
      ]
  } else if (runner === null) {
    return [reason('assignee', 'Nobody is assigned.', `muster assign ${task.id} <agent>`)]
  }
  if (agent && !agent.known)
    return [
      reason(
        'assignee',
        `No agent is called ${runner}.`,
        `Add agents/${runner}.md, or muster assign ${task.id} <agent>`,
      ),
    ]
  if (agent && !agent.harnessInstalled)
    return [reason('harness', `The program of agent ${runner} is not installed here.`, 'Install it')]
  return []
}

function timeReasons({ task, now }: Admission): Reason[] {
  const reasons: Reason[] = []
  if (task.cooldownUntil !== null && task.cooldownUntil > now)
    reasons.push(
      reason(
        'cooldown',
        task.cooldownReason === 'rate_limit'
          ? `Rate limited; next try at ${clock(task.cooldownUntil)}.`
          : `Failed ${times(task.status === 'review' ? task.reviewFailures : task.consecutiveFailures)}; next try at ${clock(task.cooldownUntil)}.`,
        'It tries again by itself then',
        task.cooldownUntil,
      ),
    )
  if (task.guardUntil !== null && task.guardUntil > now)
    reasons.push(
      reason(
        'respawn_guard',
        task.guardReason === 'active_pr' ? 'A comment names an open pull request.' : 'It succeeded a short while ago.',
        `It tries again by itself then, or muster promote ${task.id}`,
        task.guardUntil,
      ),
    )
  return reasons
}

function workspaceReasons({
  task,
  board,
  directoryUser,
}: Pick<Admission, 'task' | 'board' | 'directoryUser'>): Reason[] {
  if (task.workspace.state === 'sweeping')
    return [reason('workspace', 'Its workspace is being removed.', 'It starts by itself when that is finished')]
  if (directoryUser !== null && !board.settings.sharedDirectories)
    return [reason('workspace', `${directoryUser} works in the same directory.`, `${directoryUser} ends`)]
  return []
}

function pauseReasons({ slots, account, now }: Admission): Reason[] {
  const reasons = slots
    .filter((slot) => isSlotPaused(slot, now))
    .map((slot) =>
      reason(
        'paused',
        `The ${slot.kind} ${slot.name} is paused${slot.pauseReason ? `: ${slot.pauseReason}` : '.'}`,
        `muster resume ${slot.kind} ${slot.name}`,
        slot.pausedUntil,
      ),
    )
  if (account && isPaused(account, now)) reasons.push(accountReason(account))
  else if (account && account.probeRunId !== null)
    reasons.push(
      reason(
        'account_paused',
        `Account ${account.name} is being tried again by ${account.probeRunId}.`,
        'It reopens by itself when that run gets its answers',
      ),
    )
  return reasons
}

function accountReason({ name, pauseCause, pauseReason, pausedUntil }: Account): Reason {
  const cause = pauseCause === 'person' ? '' : ` (${pauseCause})`
  const first = pauseCause === 'auth' ? 'Log in to its program, then ' : ''
  return reason(
    'account_paused',
    `Account ${name} is paused${cause}${pauseReason ? `: ${pauseReason}` : '.'}`,
    pausedUntil === null ? `${first}muster resume account ${name}` : 'It reopens by itself then',
    pausedUntil,
  )
}

export const isSlotPaused = ({ pausedAt, pausedUntil }: Slot, now: number): boolean =>
  pausedAt !== null && (pausedUntil === null || pausedUntil > now)

export const isPaused = (account: Account, now: number): boolean =>
  account.pauseCause !== null && (account.pausedUntil === null || account.pausedUntil > now)

/** The wait for a quota is over but nobody knows yet whether it is back: the next run finds out, alone. */
export const awaitsProbe = (account: Account | null, now: number): boolean =>
  account !== null && account.pauseCause === 'quota' && !isPaused(account, now) && account.probeRunId === null

function capReasons({ openRuns, caps, board, task }: Admission): Reason[] {
  const { maxRunning, maxPerAgent, maxPerAccount } = board.settings
  const limits = [
    ['machine', openRuns.machine, caps.machine],
    ['board', openRuns.board, maxRunning],
    ['agent', openRuns.agent, smaller(caps.agent, maxPerAgent)],
    ['account', openRuns.account, smaller(caps.account, maxPerAccount)],
  ] as const
  return limits.flatMap(([cap, used, limit]) =>
    limit === null || used < limit
      ? []
      : [
          {
            ...reason(
              'cap',
              `${used} of ${limit} places of the ${cap} are taken.`,
              `Another card ends before ${task.id} starts`,
            ),
            cap: { cap, used, limit },
          },
        ],
  )
}

const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
