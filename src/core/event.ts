/**
 * Everything that can happen on a board. An event is written in the transaction it describes; the log is the API for
 * everything live, and nothing decides by reading it back.
 */
import type { Beyond } from './gates/command-approval.ts'
import type { RunId, TaskId } from './ids.ts'
import type { Changes, Verdict } from './run.ts'
import type { Call } from './briefing/turns.ts'
import type { Landed } from './task.ts'
import type { BlockKind, Outcome, Status } from './vocabulary.ts'

interface FailureData {
  readonly error: string | null
  readonly failures: number
  readonly exitCode: number | null
  readonly signal: string | null
}

/** How a review went: whose judgement it was, and how long the card had been in review. */
interface ReviewData {
  readonly reviewer: string
  readonly waitedMs: number | null
}

/** Event kind → what it carries. Kinds are past-tense verbs. */
export interface EventData {
  /** A board was made. */
  board_created: { readonly name: string }
  /** Settings of a board changed; only the changed ones are named. */
  board_changed: { readonly fields: readonly string[] }
  board_archived: Record<string, never>
  board_unarchived: Record<string, never>
  /** A board was removed with everything on it. What happened there stays in the log. */
  board_deleted: { readonly name: string }

  /** A card was put on the board. */
  created: {
    readonly status: Status
    readonly assignee: string | null
    readonly parents: readonly TaskId[]
    readonly tenant: string | null
    readonly decomposedFrom?: TaskId
  }
  /** The last gate in front of a waiting card fell: its parents are satisfied, or its time came. */
  promoted: { readonly cause: 'parents' | 'schedule' }
  /** Somebody moved a card to ready by hand; `waived` are the open parents they overruled. */
  promoted_manual: { readonly reason: string | null; readonly forced: boolean; readonly waived: readonly TaskId[] }
  /** A ready card waits again because a parent gates it. */
  demoted: { readonly cause: 'linked' | 'parent_reopened'; readonly parent: TaskId }
  /** A parent was reopened while this card runs. */
  parent_reopened: { readonly parent: TaskId }
  assigned: { readonly assignee: string | null; readonly was: string | null; readonly source?: 'default' }
  edited: { readonly fields: readonly string[] }
  reprioritized: { readonly priority: number; readonly was: number }
  /** The result of a finished card was corrected; the run that produced it stays as it was. */
  amended: { readonly result: string | null; readonly summary: string | null }
  linked: { readonly parent: TaskId; readonly child: TaskId }
  unlinked: { readonly parent: TaskId; readonly child: TaskId }
  commented: { readonly author: string; readonly length: number }
  attached: { readonly filename: string; readonly size: number; readonly by: string }
  attachment_removed: { readonly filename: string }
  specified: { readonly fields: readonly string[] }
  decomposed: { readonly children: readonly TaskId[]; readonly assignee: string | null }

  claimed: {
    readonly attempt: number
    readonly agent: string | null
    readonly machine: string | null
    readonly phase: string
    readonly from: Status
  }
  /** A claim met an open parent: whoever set the card ready was wrong. */
  claim_rejected: { readonly reason: 'parents_open'; readonly parents: readonly TaskId[] }
  /** The supervisor proved its ownership and registered. */
  spawned: { readonly pid: number }
  /** The first card of an install that works in a scratch folder: people are told that such folders are temporary. */
  scratch_explained: { readonly message: string }
  /** The board made a worktree for the card. `notes` say what is not in it, and why. */
  /** A run continues in the worktree of an earlier card on the same branch. */
  worktree_taken_over: { readonly path: string; readonly branch: string; readonly from: TaskId }
  worktree_made: {
    readonly path: string
    readonly branch: string
    readonly base: string
    readonly baseBranch: string | null
    readonly notes: readonly string[]
  }
  /** The board committed the files of a worktree when its run ended; `note` explains files that it could not commit. */
  committed: Changes
  /** The work of a worktree card is on the branch `into`, as `commit`. */
  landed: Omit<Landed, 'at'> & { readonly strategy: string }
  heartbeat: { readonly note: string }
  /** The agent ended its turn and is asked again, in the same run: its checks failed, or it owes a verdict. */
  turn_started: { readonly turn: number; readonly cause: Call['cause']; readonly reason: string }
  terminating: { readonly reason: string }
  /** Processes of the run could not be ended: it keeps its place and its card until they are gone. */
  termination_deferred: { readonly reason: string; readonly pids: readonly number[] }
  verdict_recorded: { readonly verdict: Verdict['kind']; readonly summary: string }
  verdict_withdrawn: { readonly verdict: Verdict['kind']; readonly tries: number; readonly output: string }
  checks_passed: { readonly tries: number }
  /** Something arrived from a run that no longer owns the card. Kept, never applied. */
  late_result: { readonly verb: string; readonly content: unknown }
  /** A person's verb on a live run; it takes effect when the run settles. */
  intent_recorded: { readonly verb: string; readonly reason: string | null }

  completed: {
    readonly summary: string
    readonly forced?: string
    readonly verifiedCards?: readonly TaskId[]
    readonly artifacts?: readonly string[]
  }
  /** A completion named cards that the worker did not create. Nothing changed. */
  completion_refused: { readonly phantomCards: readonly TaskId[]; readonly verifiedCards: readonly TaskId[] }
  /** A summary mentions ids of no card on this board. Advice, not a verdict. */
  unknown_cards_mentioned: { readonly ids: readonly TaskId[] }
  blocked: { readonly kind: BlockKind; readonly reason: string; readonly from: Status; readonly recurrences: number }
  /** The same kind of block came back too often: the card needs a person's thought, not another unblock. */
  block_loop_detected: { readonly kind: BlockKind; readonly reason: string; readonly recurrences: number }
  dependency_waited: { readonly reason: string; readonly from: Status }
  /** `reset`: earlier attempts no longer count. */
  unblocked: { readonly status: Status; readonly reason: string | null; readonly reset?: true }
  scheduled: { readonly at: number | null; readonly reason: string | null }
  held: { readonly reason: string | null }
  released: { readonly status: Status }
  review_requested: { readonly reviewer: string | null; readonly summary: string }
  /** A reviewer sent the card back to its author. */
  changes_requested: ReviewData & { readonly reason: string; readonly status: Status }
  /** A reviewer is content; the card is done. */
  approved: ReviewData & { readonly summary: string }
  reopened: { readonly from: Status; readonly status: Status; readonly reason: string | null }
  archived: { readonly from: Status }
  unarchived: { readonly status: Status }
  deleted: { readonly from: Status }
  undeleted: { readonly status: Status }
  /** A person lets run what they were shown: SHA-256 of it, and whether the body was among it as a script. */
  commands_approved: { readonly hash: string; readonly script?: true }
  /** The card's agent would do more with it than its author may: `script` runs its body, `wider` has more permissions. */
  approval_needed: { readonly reason: Beyond | null }
  /** A worker was refused what it may not do. Of the same again not every time is written down. */
  overreached: {
    readonly asked: string
    readonly target: string | null
    readonly reason: string
    readonly times: number
  }
  /** The folder of a finished card went; `snapshot` says where a copy of what nobody had declared lies. */
  workspace_swept: { readonly snapshot: string | null }
  /** The folder of a finished card stays: it holds what a person may want, and no copy has it. */
  workspace_kept: { readonly reason: string }
  /** A person lets a card start again without its files, which are on another machine. They stay there. */
  workspace_abandoned: { readonly path: string | null; readonly machine: string }
  /** The folder of a finished card stays for now: a card after it is not finished. */
  sweep_deferred: { readonly child: TaskId }
  failures_reset: Record<string, never>

  crashed: FailureData
  timed_out: FailureData
  spawn_failed: FailureData
  checks_failed: FailureData
  protocol_violation: FailureData
  stale: { readonly error: string | null }
  interrupted: { readonly error: string | null }
  reclaimed: { readonly reason: string | null; readonly by: string }
  stopped: { readonly reason: string | null; readonly by: string }
  rate_limited: { readonly until: number; readonly account: string | null }
  /** The breaker opened, or the attempts bound was reached: only a person frees this card now. */
  gave_up: {
    readonly failures: number
    readonly limit: number
    readonly trigger: Outcome
    readonly error: string | null
  }
  respawn_guarded: { readonly reason: string; readonly until: number }

  paused: {
    readonly kind: string
    readonly name: string
    readonly reason: string | null
    readonly until: number | null
    /** Cards whose last crash is not held against them: it was part of a burst. */
    readonly forgiven?: readonly TaskId[]
  }
  resumed: { readonly kind: string; readonly name: string }
  /** `muster doctor --fix` mended a derived value. */
  repaired: { readonly rule: string; readonly was: unknown; readonly now: unknown }
}

export type EventKind = keyof EventData

/** An event as core writes it: the store adds id, board, actor and time. */
export type EventDraft = {
  [K in EventKind]: {
    readonly kind: K
    readonly taskId: TaskId | null
    readonly runId?: RunId | null
    readonly data: EventData[K]
  }
}[EventKind]

/** An event as everyone reads it. */
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
