/**
 * Everything that can happen on a board. An event is written in the transaction that it describes, and live views
 * follow the log. Decisions read the stored state and not the log, with one exception: the fact `body_writer`.
 */
import type { ApprovalCause } from './gates/command-approval.ts'
import type { RunId, SeriesId, TaskId } from './ids.ts'
import type { PlanData } from './input/plan-input.ts'
import type { Changes, Verdict } from './run.ts'
import type { NextTurn } from './briefing/turns.ts'
import type { Landed } from './task.ts'
import type { Token, TokenScope } from './token.ts'
import type { BlockKind, JudgeAnswer, Outcome, SkipReason, Status, Picker } from './vocabulary.ts'

interface FailureData {
  readonly error: string | null
  readonly failures: number
  readonly exitCode: number | null
  readonly signal: string | null
}

/** The data of events about a review: the reviewer, and how long the card was in review. */
interface ReviewData {
  readonly reviewer: string
  readonly waitedMs: number | null
}

interface SeriesData {
  readonly series: SeriesId
  readonly title: string
}

/** The data of each kind of event. Kinds are past-tense verbs. */
export interface EventData {
  /** A board was created. */
  board_created: { readonly name: string }
  /** Board settings changed. `fields` lists the changed settings. */
  board_changed: { readonly fields: readonly string[] }
  /** A board was archived. */
  board_archived: Record<string, never>
  /** An archived board was restored. */
  board_unarchived: Record<string, never>
  /** A board and its cards were deleted. The events of the board stay in the log. */
  board_deleted: { readonly name: string }

  /** A card was created. */
  created: {
    readonly status: Status
    readonly assignee: string | null
    readonly parents: readonly TaskId[]
    readonly tenant: string | null
    readonly decomposedFrom?: TaskId
    /** The series that created the card. */
    readonly series?: SeriesId
    /** The entries of a new tournament, and who picks the winner. */
    readonly entries?: readonly TaskId[]
    readonly picker?: Picker
    /** The tournament of a new entry. */
    readonly entryOf?: TaskId
  }
  /** A waiting card became ready: its parents finished, or its scheduled time came. */
  promoted: { readonly cause: 'parents' | 'schedule' }
  /** A person or an orchestrator moved a card to ready. `waived` lists the unfinished parents that no longer count. */
  promoted_manual: { readonly reason: string | null; readonly forced: boolean; readonly waived: readonly TaskId[] }
  /** A ready card waits again because of an unfinished parent. */
  demoted: { readonly cause: 'linked' | 'parent_reopened'; readonly parent: TaskId }
  /** A parent was reopened while this card runs. */
  parent_reopened: { readonly parent: TaskId }
  /** The assignee changed. `source` is `default` if the board assigned its default agent. */
  assigned: { readonly assignee: string | null; readonly was: string | null; readonly source?: 'default' }
  /** Fields of a card changed. `fields` lists them. */
  edited: { readonly fields: readonly string[] }
  /** The priority changed. */
  reprioritized: { readonly priority: number; readonly was: number }
  /** A person moved the card in its column, to the place between `above` and `below`. Null means an end. */
  reordered: { readonly above: TaskId | null; readonly below: TaskId | null }
  /** The result of a finished card was corrected. The run that produced it is unchanged. */
  amended: { readonly result: string | null; readonly summary: string | null }
  /** A dependency was added. */
  linked: { readonly parent: TaskId; readonly child: TaskId }
  /** A dependency was removed. */
  unlinked: { readonly parent: TaskId; readonly child: TaskId }
  /** A comment was added. */
  commented: { readonly author: string; readonly length: number }
  /** A file was attached. */
  attached: { readonly filename: string; readonly size: number; readonly by: string }
  /** An attachment was removed. */
  attachment_removed: { readonly filename: string }
  /** A rough card was turned into a full specification. */
  specified: { readonly fields: readonly string[] } & PlanData
  /** A card was split into child cards. */
  decomposed: { readonly children: readonly TaskId[]; readonly assignee: string | null } & PlanData
  /** Every entry of a tournament has passed or is out, and a person picks the winner. */
  pick_needed: { readonly passed: readonly TaskId[]; readonly out: readonly TaskId[] }
  /** An entry of a tournament won. `order` is the order in which the judge saw the entries; null: no model was asked. */
  picked: {
    readonly winner: TaskId
    readonly agent: string | null
    readonly reason: string | null
    readonly order: readonly TaskId[] | null
  }
  /** The judge of a tournament picked no winner. It tries again at `retryAt`; null: a person picks. */
  pick_failed: { readonly reason: string; readonly attempt: number; readonly retryAt: number | null }
  /**
   * Muster could not plan a card automatically. It tries again at `retryAt`. Null means that a person must plan the
   * card.
   */
  plan_failed: { readonly reason: string; readonly attempt: number; readonly retryAt: number | null }

  /** A run was opened for the card. */
  claimed: {
    readonly attempt: number
    readonly agent: string | null
    readonly machine: string | null
    readonly phase: string
    readonly from: Status
    /** How long the card waited since its last change, or since the end of its wait for a retry. */
    readonly waitedMs?: number
    /** The agent that the card names. This is set only if the fallback of this agent runs the card. */
    readonly insteadOf?: string
  }
  /** A claim was refused because a parent is unfinished. */
  claim_rejected: { readonly reason: 'parents_open'; readonly parents: readonly TaskId[] }
  /** The supervisor of the run started and registered. */
  spawned: { readonly pid: number }
  /** The first card of an installation used a scratch folder, and Muster explained that the folder is temporary. */
  scratch_explained: { readonly message: string }
  /** A run continues in the worktree of an earlier card on the same branch. */
  worktree_taken_over: { readonly path: string; readonly branch: string; readonly from: TaskId }
  /** Muster created a worktree for the card. `notes` lists the files that are not in the worktree, with the reason. */
  worktree_made: {
    readonly path: string
    readonly branch: string
    readonly base: string
    readonly baseBranch: string | null
    readonly notes: readonly string[]
  }
  /** Muster committed the files of a worktree at the end of the run. `note` names files outside the commit. */
  committed: Changes
  /** The work of a worktree card was put on the branch `into`, as `commit`. */
  landed: Omit<Landed, 'at'> & { readonly strategy: string }
  /** The agent reported progress. */
  heartbeat: { readonly note: string }
  /** The judge of a goal answered after a turn. `withdrawn` is the result that the agent had reported too early. */
  goal_judged: {
    readonly turn: number
    readonly maxTurns: number
    readonly answer: JudgeAnswer
    readonly reason: string
    readonly missing: readonly string[]
    readonly withdrawn?: Verdict['kind']
  }
  /** The agent was asked to continue in the same run: its checks or its judge asked for more, or it reported no result. */
  turn_started: { readonly turn: number; readonly cause: NextTurn['cause']; readonly reason: string }
  /** Muster began to end the run. */
  terminating: { readonly reason: string }
  /** Processes of the run could not be ended. The run keeps its slot until they are gone. */
  termination_deferred: { readonly reason: string; readonly pids: readonly number[] }
  /** The agent reported a result, which applies when the run ends. */
  verdict_recorded: { readonly verdict: Verdict['kind']; readonly summary: string }
  /** The checks failed, so the reported result was withdrawn. */
  verdict_withdrawn: { readonly verdict: Verdict['kind']; readonly tries: number; readonly output: string }
  /** All checks of the card passed. */
  checks_passed: { readonly tries: number }
  /** A run that no longer owns the card sent a change, which was recorded and not applied. */
  late_result: { readonly verb: string; readonly content: unknown }
  /** A person gave a command for a running card. The command applies when the run ends. */
  intent_recorded: { readonly verb: string; readonly reason: string | null }

  /** The card is done. */
  completed: {
    readonly summary: string
    readonly forced?: string
    readonly verifiedCards?: readonly TaskId[]
    readonly artifacts?: readonly string[]
  }
  /** A completion named cards that the worker did not create. Nothing changed. */
  completion_refused: { readonly phantomCards: readonly TaskId[]; readonly verifiedCards: readonly TaskId[] }
  /** A summary mentions ids of cards that do not exist on this board. The event is only information. */
  unknown_cards_mentioned: { readonly ids: readonly TaskId[] }
  /** The card was blocked. */
  blocked: { readonly kind: BlockKind; readonly reason: string; readonly from: Status; readonly recurrences: number }
  /** The card was blocked too often for the same kind of reason, so it went to triage. */
  block_loop_detected: { readonly kind: BlockKind; readonly reason: string; readonly recurrences: number }
  /** A worker reported that the card must wait for an unfinished parent. */
  dependency_waited: { readonly reason: string; readonly from: Status }
  /** A blocked card may continue. With `reset`, earlier attempts no longer count. */
  unblocked: { readonly status: Status; readonly reason: string | null; readonly reset?: true }
  /** The card was scheduled. If `at` is null, the card waits until a person lets it continue. */
  scheduled: { readonly at: number | null; readonly reason: string | null }
  /** The card was put on hold. */
  held: { readonly reason: string | null }
  /** The hold was removed. */
  released: { readonly status: Status }
  /** The card was sent to review. */
  review_requested: { readonly reviewer: string | null; readonly summary: string }
  /** A reviewer sent the card back to its worker. */
  changes_requested: ReviewData & { readonly reason: string; readonly status: Status }
  /** A reviewer approved the card. */
  approved: ReviewData & { readonly summary: string }
  /** A finished card was reopened. */
  reopened: { readonly from: Status; readonly status: Status; readonly reason: string | null }
  /** The card was archived. */
  archived: { readonly from: Status }
  /** An archived card was restored. */
  unarchived: { readonly status: Status }
  /** The card was moved to the trash. */
  deleted: { readonly from: Status }
  /** The card was restored from the trash. */
  undeleted: { readonly status: Status }
  /** A person approved the commands of a card. `hash` is the SHA-256 of the text that the person saw. */
  commands_approved: { readonly hash: string; readonly script?: true }
  /** The card needs approval: its agent runs the body (`reason`: `script`) or may do more than its author (`wider`). */
  approval_needed: { readonly reason: ApprovalCause | null }
  /** A worker tried an action that it may not take. Repeated attempts are recorded only occasionally. */
  overreached: {
    readonly asked: string
    readonly target: string | null
    readonly reason: string
    readonly times: number
  }
  /** The folder of a finished card was removed. `snapshot` is the path of its copy, or null without a copy. */
  workspace_swept: { readonly snapshot: string | null }
  /** The folder of a finished card was kept. `reason` explains why. */
  workspace_kept: { readonly reason: string }
  /** A person let the card start with new files. Its earlier files stay on another machine. */
  workspace_abandoned: { readonly path: string | null; readonly machine: string }
  /** The folder of a finished card is kept for now, because a child is unfinished. */
  sweep_deferred: { readonly child: TaskId }
  /** A person hid a card or account from the inbox, `until` a time. Null hides the item until its next change. */
  hidden_from_inbox: { readonly kind: 'card' | 'account'; readonly name: string; readonly until: number | null }
  /** A person showed a hidden card or account in the inbox again. */
  shown_in_inbox: { readonly kind: 'card' | 'account'; readonly name: string }
  /** The failure counters of the card were reset. */
  failures_reset: Record<string, never>

  /** The run failed: the agent exited with an error or was killed. */
  crashed: FailureData
  /** The run reached its time limit, or the agent reached its turn limit. */
  timed_out: FailureData
  /** The run could not start. */
  spawn_failed: FailureData
  /** The run failed: its checks did not pass within the allowed tries. */
  checks_failed: FailureData
  /** The agent ended without reporting a result, even after reminders. */
  protocol_violation: FailureData
  /** The run was ended because its agent showed no activity for too long. */
  stale: { readonly error: string | null }
  /** The run ended for a reason outside its agent, such as a crash of the machine. This does not count as a failure. */
  interrupted: { readonly error: string | null }
  /** A person took the card back from its run. */
  reclaimed: { readonly reason: string | null; readonly by: string }
  /** A person stopped the run. */
  stopped: { readonly reason: string | null; readonly by: string }
  /** The agent reached a rate limit or quota, which does not count as a failure. */
  rate_limited: { readonly until: number; readonly account: string | null }
  /** The failure limit or the attempts limit was reached. Only a person can let the card continue. */
  gave_up: {
    readonly failures: number
    readonly limit: number
    readonly trigger: Outcome
    readonly error: string | null
  }
  /** An automatic retry waits, because the retry might repeat finished work. */
  respawn_guarded: { readonly reason: string; readonly until: number }

  /** A board, agent, account or machine was paused. */
  paused: {
    readonly kind: string
    readonly name: string
    readonly reason: string | null
    readonly until: number | null
    /**
     * The cards whose last crash no longer counts as a failure, because several cards of the agent crashed in the same
     * way.
     */
    readonly forgiven?: readonly TaskId[]
  }
  /** A board, agent, account or machine was resumed. */
  resumed: { readonly kind: string; readonly name: string }
  /** A token for the HTTP server was created, or a person signed in. `kind` is `session` if a person signed in. */
  token_created: {
    readonly id: string
    readonly kind: Token['kind']
    readonly name: string
    readonly scope: TokenScope
  }
  /** A token was revoked, or a session was ended. */
  token_revoked: { readonly id: string; readonly name: string }
  /** A view of cards was saved. `board` is null for a view of all boards. */
  view_saved: { readonly name: string; readonly board: string | null }
  /** A saved view was renamed. */
  view_renamed: { readonly from: string; readonly name: string }
  /** A saved view was deleted. */
  view_deleted: { readonly name: string }
  /** A series of cards was added. `title` is the title of its cards. */
  series_added: SeriesData & { readonly schedule: string; readonly timeZone: string }
  /** A series was changed. `fields` lists the changed fields. */
  series_edited: SeriesData & { readonly fields: readonly string[] }
  /** A series was paused. It creates no cards. */
  series_paused: SeriesData
  /** A paused series continues. */
  series_resumed: SeriesData
  /** A series was removed. Its cards stay. */
  series_removed: SeriesData
  /** A series created no card at one of its times. Further times with the same reason are only counted. */
  series_skipped: SeriesData & { readonly slot: number; readonly reason: SkipReason }
  /** A series could not create a card. Further times with the same error are only counted. */
  series_failed: SeriesData & { readonly slot: number; readonly error: string }
  /** A swarm was created. The event is on its root, which holds the goal. */
  swarm_created: {
    readonly workers: readonly TaskId[]
    readonly verifier: TaskId
    readonly synthesizer: TaskId
  }
  /** The verifier of a swarm approved the work, so the synthesizer may start. The event is on the verifier. */
  swarm_approved: { readonly root: TaskId; readonly summary: string }
  /**
   * The verifier of a swarm requested changes. `workers` lists the workers that got the request; it is empty at the
   * limit, where a person decides. `times` counts the requests in a row. The event is on the verifier.
   */
  swarm_rejected: {
    readonly root: TaskId
    readonly reason: string
    readonly workers: readonly TaskId[]
    readonly times: number
    readonly limit: number
  }
  /** A member of a swarm or a person wrote an entry of its blackboard. The event is on the root. */
  blackboard_written: { readonly key: string; readonly author: string; readonly length: number }
  /** An entry of the blackboard of a swarm was removed. */
  blackboard_removed: { readonly key: string; readonly author: string }
  /** `muster doctor --fix` corrected a value that is computed from other values. */
  repaired: { readonly rule: string; readonly was: unknown; readonly now: unknown }
}

export type EventKind = keyof EventData

/** An event as core writes it. The store adds the id, the board, the actor and the time. */
export type EventDraft = {
  [K in EventKind]: {
    readonly kind: K
    readonly taskId: TaskId | null
    readonly runId?: RunId | null
    readonly data: EventData[K]
  }
}[EventKind]

/** An event as the store returns it. */
export interface BoardEvent {
  readonly id: number
  readonly board: string
  readonly kind: EventKind
  readonly taskId: TaskId | null
  readonly runId: RunId | null
  readonly actor: string
  readonly createdAt: number
  readonly data: Readonly<Record<string, unknown>>
}
