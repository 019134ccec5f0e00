/**
 * The reasons why a card is not running, as data. A reason has a code, parameters, and the operations that clear it.
 * Each surface writes its own sentences. A new code needs a gate here, remedies in `remedies.ts` and a sentence in the
 * CLI's table. The compiler checks all three.
 */
import type { Account } from '../account.ts'
import type { ApprovalCause } from '../gates/command-approval.ts'
import type { RunId, TaskId } from '../ids.ts'
import type { Run } from '../run.ts'
import type { Slot } from '../slot.ts'
import type { Verification } from '../swarm.ts'
import type { AskedBlockKind, BlockKind, Status } from '../vocabulary.ts'

/** The gates in the order in which their reasons are listed. A refused claim reports the first reason. */
export const GATES = [
  'deleted',
  'finished',
  'running',
  'triage',
  'blocked',
  'board_archived',
  'parents',
  'verification',
  'pick',
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
  'machine',
  'branch',
  'hours',
  'paused',
  'account_paused',
  'cap',
  'dispatcher',
] as const
export type Gate = (typeof GATES)[number]

type None = Readonly<Record<never, never>>

/** The role that the agent has for the card. */
export type AgentRole = 'assignee' | 'default_assignee' | 'reviewer'

interface AboutAgent {
  readonly agent: string
  readonly role: AgentRole
}

export interface ReachedCap {
  readonly cap: 'machine' | 'board' | 'agent' | 'account'
  readonly used: number
  readonly limit: number
}

interface OnMachine {
  readonly machine: string
  /** The name of the machine. Null means that the name is unknown. */
  readonly host: string | null
}

/** A branch, and the other card that uses this branch. */
interface OnBranch {
  readonly branch: string
  readonly card: TaskId
}

/**
 * An unfinished parent of the card. A claim reads only the parent's id, so the other fields are null in its refusal.
 */
interface OpenParent {
  readonly id: TaskId
  readonly title: string | null
  readonly status: Status | null
}

/** The parameters of each reason, by code. */
export interface ReasonParams {
  deleted: None
  finished: { readonly status: 'done' | 'archived' }
  running: {
    readonly run:
      | (Pick<Run, 'id' | 'attempt' | 'phase' | 'kind'> & {
          readonly by: string
          readonly startedAt: number
          readonly insteadOf: string | null
          /** The progress towards the goal of the card. Null if no judge decides about the run. */
          readonly goal: {
            readonly turn: number
            readonly maxTurns: number
            readonly missing: readonly string[]
          } | null
        })
      | null
    /** The command that will end the run, and the actor that gave it. */
    readonly ending: { readonly verb: string; readonly by: string } | null
  }
  triage: None
  /** Muster tried to plan the card automatically and failed. Without a time for the next try, a person must plan it. */
  plan_failed: { readonly failure: string; readonly attempts: number }
  /** The card was blocked too often for the same kind of reason, so the board moved it to triage. */
  block_loop: {
    readonly kind: BlockKind
    readonly times: number
    readonly question: string | null
    readonly by: string | null
  }
  blocked: { readonly kind: AskedBlockKind | 'budget'; readonly reason: string | null; readonly by: string | null }
  /** `error` describes how the last attempt ended. */
  breaker_open: { readonly failures: number; readonly error: string | null; readonly reason: string | null }
  attempts_spent: { readonly error: string | null; readonly reason: string | null }
  /** The verifier of a swarm requested changes as often as the limit allows. */
  rejected_too_often: { readonly times: number; readonly reason: string | null }
  board_archived: { readonly board: string }
  /** `parents` lists only the first few of the `count` parents. */
  parents_open: { readonly count: number; readonly parents: readonly OpenParent[] }
  /**
   * The verifier of the swarm was archived or deleted, so it has not approved the work. Null means that it was removed
   * for good.
   */
  not_approved: Pick<Verification, 'verifier'>
  /** Entries of the tournament are still playing. `entries` lists only the first few of them. */
  entries_open: {
    readonly open: number
    readonly total: number
    /** Null if the caller has not read the entries. */
    readonly passed: number | null
    readonly entries: readonly OpenParent[]
  }
  /** A person must pick the winner. `failure` is the reason why the judge did not. */
  pick_needed: { readonly passed: number | null; readonly total: number; readonly failure: string | null }
  /** The judge picks the winner. `failure` is the reason why its last try failed. */
  judge_picks: { readonly passed: number | null; readonly failure: string | null }
  /** No entry of the tournament can win. Each blocked entry can be unblocked, if `unblockable` lists it. */
  no_entry_left: { readonly reason: string | null; readonly unblockable: readonly TaskId[] }
  /**
   * `by` is the actor that put the card on hold or stopped its run. A claim does not read the history, so `reason` and
   * `by` are null in its refusal.
   */
  held: { readonly reason: string | null; readonly by: string | null }
  scheduled: { readonly at: number }
  parked: None
  /**
   * `beyond` is the reason why the assigned agent needs approval. Null means that an agent chose the commands or the
   * folder.
   */
  commands_unapproved: { readonly beyond: ApprovalCause | null }
  unassigned: None
  agent_unknown: AboutAgent
  agent_file_broken: AboutAgent & { readonly file: string; readonly fault: string }
  agent_file_changed: AboutAgent & { readonly file: string; readonly folder: string }
  /** The folder of the agents cannot be read. */
  agents_unreadable: AboutAgent & { readonly fault: string }
  /** The repository of the card defines the agent, and no person has approved it. */
  agent_unapproved: AboutAgent & { readonly folder: string }
  program_missing: AboutAgent & { readonly program: string | null }
  review_assigned: { readonly reviewer: string }
  /**
   * `boardReviewer` is the board's reviewer, if the board has one. It may not review this card, because it would review
   * its own work.
   */
  review_by_person: { readonly boardReviewer: string | null }
  reviewer_failed: { readonly reviewer: string; readonly failures: number }
  body_missing: { readonly agent: string }
  body_too_long: { readonly agent: string }
  /** The card has a goal, but its agent cannot have further turns, because its card ends when its program exits. */
  goal_unsupported: { readonly agent: string }
  skills_missing: {
    readonly agent: string
    readonly unknown: readonly string[]
    readonly broken: readonly { readonly name: string; readonly fault: string }[]
    /** The path at which the first missing skill is expected. */
    readonly file: string
    readonly from: 'card' | 'agent'
  }
  model_without_provider: {
    readonly agent: string
    readonly program: string | null
    readonly model: string
    readonly from: 'card' | 'agent'
  }
  effort_unknown: {
    readonly agent: string
    readonly program: string | null
    readonly effort: string
    readonly known: readonly string[]
    readonly from: 'card' | 'agent'
  }
  /** `failures` is 0 if the last failure was not the fault of the card. `error` describes how the last run ended. */
  retry_wait: { readonly failures: number; readonly error: string | null }
  rate_limit_wait: None
  recent_success: None
  pull_request_linked: None
  workspace_sweeping: None
  directory_busy: { readonly card: TaskId }
  files_elsewhere: OnMachine
  branch_in_use: OnBranch & { readonly status: Status }
  branch_sweeping: OnBranch
  /** The worktree of the branch is on another machine. */
  branch_elsewhere: OnBranch & OnMachine
  /** `discardable` is true if a person may discard the worktree of the other card now. */
  branch_on_board: OnBranch & { readonly board: string; readonly discardable: boolean }
  branch_checked_out: { readonly branch: string; readonly folder: string }
  /** The card would take over a worktree, but that worktree is now on another branch. */
  worktree_switched: { readonly branch: string; readonly folder: string }
  /** Git cannot have both branches, because the name of one is a folder in the name of the other. */
  branch_clash: { readonly branch: string; readonly other: string }
  /** `at` is the time when the card may start. Null means that the hours of its board and its agent never overlap. */
  outside_hours: {
    readonly of: 'board' | 'agent'
    readonly name: string
    readonly hours: string
    readonly at: number | null
  }
  paused: { readonly kind: Slot['kind']; readonly name: string; readonly reason: string | null }
  account_paused: {
    readonly account: string
    readonly cause: Account['pauseCause']
    readonly reason: string | null
  }
  /** The account of the card's agent is exhausted, and the fallback of that agent takes its cards. */
  fallback_used: {
    readonly agent: string
    readonly fallback: string
    readonly account: string
    readonly cause: Account['pauseCause']
  }
  account_probed: { readonly account: string; readonly run: RunId }
  cap_reached: ReachedCap
  /** The supervisor of the card's run is gone, so no process watches its agent. */
  supervisor_lost: { readonly run: RunId }
  no_dispatcher: None
  /**
   * The dispatcher is alive but has not renewed its lease, which ended at `since`. A common cause is Ctrl-Z, which
   * suspends a process.
   */
  dispatcher_hung: { readonly pid: number; readonly since: number; readonly suspended: boolean }
  disk_full: { readonly folder: string }
  /** A process found the store damaged and marked it, so every change is refused. */
  store_damaged: { readonly path: string; readonly fault: string }
  next_pass: None
}
export type ReasonCode = keyof ReasonParams

/** The gate of each reason. The gate of a reason about an agent depends on the role of the agent. */
const GATE_OF = {
  deleted: 'deleted',
  finished: 'finished',
  running: 'running',
  triage: 'triage',
  plan_failed: 'triage',
  block_loop: 'triage',
  blocked: 'blocked',
  breaker_open: 'blocked',
  attempts_spent: 'blocked',
  rejected_too_often: 'blocked',
  board_archived: 'board_archived',
  parents_open: 'parents',
  not_approved: 'verification',
  entries_open: 'pick',
  pick_needed: 'pick',
  judge_picks: 'pick',
  no_entry_left: 'blocked',
  held: 'hold',
  scheduled: 'schedule',
  parked: 'schedule',
  commands_unapproved: 'command_approval',
  unassigned: 'assignee',
  agent_unknown: 'assignee',
  agent_file_broken: 'assignee',
  agent_file_changed: 'assignee',
  agents_unreadable: 'assignee',
  agent_unapproved: 'assignee',
  program_missing: 'harness',
  review_assigned: 'reviewer',
  review_by_person: 'reviewer',
  reviewer_failed: 'reviewer',
  body_missing: 'harness',
  body_too_long: 'harness',
  goal_unsupported: 'harness',
  skills_missing: 'skill',
  model_without_provider: 'model',
  effort_unknown: 'model',
  retry_wait: 'cooldown',
  rate_limit_wait: 'cooldown',
  recent_success: 'respawn_guard',
  pull_request_linked: 'respawn_guard',
  workspace_sweeping: 'workspace',
  directory_busy: 'workspace',
  files_elsewhere: 'machine',
  branch_in_use: 'branch',
  branch_sweeping: 'branch',
  branch_elsewhere: 'branch',
  branch_on_board: 'branch',
  branch_checked_out: 'branch',
  worktree_switched: 'branch',
  branch_clash: 'branch',
  outside_hours: 'hours',
  paused: 'paused',
  account_paused: 'account_paused',
  fallback_used: 'account_paused',
  account_probed: 'account_paused',
  cap_reached: 'cap',
  supervisor_lost: 'running',
  no_dispatcher: 'dispatcher',
  dispatcher_hung: 'dispatcher',
  disk_full: 'dispatcher',
  store_damaged: 'dispatcher',
  next_pass: 'dispatcher',
} as const satisfies Record<ReasonCode, Gate>

export const REASON_CODES = Object.keys(GATE_OF) as readonly ReasonCode[]

/** A reason without the operations that clear this reason. */
export type Obstacle = {
  readonly [C in ReasonCode]: {
    readonly code: C
    readonly params: ReasonParams[C]
    /**
     * The time at which the obstacle ends without a command. Null means that only a command ends the obstacle, or that
     * the time is unknown.
     */
    readonly until: number | null
  }
}[ReasonCode]

/** All operations that can clear a reason. */
export const REMEDY_OPERATIONS = [
  'agents approve',
  'answer',
  'approve',
  'approve-commands',
  'assign',
  'boards set',
  'boards unarchive',
  'complete',
  'edit',
  'gc',
  'pick',
  'promote',
  'reclaim',
  'release',
  'reopen',
  'request-changes',
  'resume',
  'stop',
  'unarchive',
  'unblock',
  'undelete',
  'up',
] as const

/** A call that clears a reason. A person may make this call in the card's present state. */
export interface Remedy {
  readonly operation: (typeof REMEDY_OPERATIONS)[number]
  readonly input: Readonly<Record<string, string | boolean>>
  /** The input fields that the person must fill in. */
  readonly asks: readonly string[]
}

export type Reason = Obstacle & { readonly gate: Gate; readonly remedies: readonly Remedy[] }

/** Builds an obstacle. The cast is needed, because the compiler cannot check that the parameters belong to the code. */
export const obstacle = <C extends ReasonCode>(
  code: C,
  params: ReasonParams[C],
  until: number | null = null,
): Extract<Obstacle, { code: C }> => ({ code, params, until }) as Extract<Obstacle, { code: C }>

export const gateOf = ({ code, params }: Obstacle): Gate =>
  GATE_OF[code] === 'assignee' && 'role' in params && params.role === 'reviewer' ? 'reviewer' : GATE_OF[code]
