/**
 * Facts that a verb may ask the store for, in addition to its rows. Each is one indexed query, and no query returns a
 * graph.
 */
import type { AttachmentId, CommentId, RunId, TaskId } from './ids.ts'
import type { Task } from './task.ts'
import type { BranchHolder } from './gates/workspace-gates.ts'

export interface FactTypes {
  /** Parents that gate a card: unsatisfied, not deleted, not waived. Sorted by id. */
  open_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** Like `open_parents`, but includes waived links: the parents that would gate the card without waivers. */
  unsatisfied_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** Whether `to` can be reached from `from` by walking parent → child, deleted cards included. */
  reaches: { ask: { readonly from: TaskId; readonly to: TaskId }; answer: boolean }
  link: { ask: { readonly parent: TaskId; readonly child: TaskId }; answer: { readonly waived: boolean } | null }
  /** Cards by id, on any board: ids are unique in the store. */
  cards: {
    ask: { readonly ids: readonly TaskId[] }
    answer: readonly Pick<Task, 'id' | 'board' | 'title' | 'createdBy' | 'createdByRun' | 'status' | 'deletedAt'>[]
  }
  /** The cards among `ids` that are direct children of `parent`. */
  children_among: { ask: { readonly parent: TaskId; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** An unfinished child outside the trash: it may still need the parent's files. */
  unfinished_child: { ask: { readonly parent: TaskId }; answer: TaskId | null }
  /** A parent, possibly in the trash, whose folder is being removed. */
  sweeping_parent: { ask: { readonly child: TaskId }; answer: TaskId | null }
  /** Whether a one-time notice was shown; `record_notice` records it. */
  notice_shown: { ask: { readonly about: string }; answer: boolean }
  /** The last author of the body, or the person who approved it as a script. Null means the creator of the card. */
  body_writer: { ask: { readonly task: TaskId | null }; answer: string | null }
  /** The card with this idempotency key. An archived card releases its key. */
  by_key: { ask: { readonly key: string | null }; answer: Task | null }
  /** The number of a card's last attempt; 0 before the first. */
  last_attempt: { ask: { readonly task: TaskId }; answer: number }
  /** Start times of the attempts that count against the attempts limit, latest first. */
  attempt_starts: { ask: { readonly task: TaskId; readonly most: number }; answer: readonly number[] }
  /** The cards among `ids` that an agent has worked on; empty if `agent` is null. */
  worked_on: { ask: { readonly agent: string | null; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** A run on any board; null if it does not exist. */
  run_exists: {
    ask: { readonly id: RunId }
    answer: { readonly board: string; readonly taskId: TaskId; readonly ended: boolean } | null
  }
  /** How many cards a run has created, and the depth of the next one, counted from a card that a person created. */
  run_creations: { ask: { readonly run: RunId | null }; answer: { readonly cards: number; readonly depth: number } }
  /** Open agent runs, counted for each cap. */
  open_runs: {
    ask: { readonly machine: string | null; readonly agent: string | null; readonly account: string | null }
    answer: { readonly machine: number; readonly board: number; readonly agent: number; readonly account: number }
  }
  /** The card of a comment or attachment with this id, to recognise a resend. */
  comment: { ask: { readonly id: CommentId | null }; answer: { readonly taskId: TaskId } | null }
  attachment: {
    ask: { readonly id: AttachmentId }
    answer: { readonly taskId: TaskId; readonly filename: string } | null
  }
  /** Whether the board has cards, including those in the trash, and the id of one running card, if there is one. */
  board_use: { ask: Record<never, never>; answer: { readonly hasCards: boolean; readonly running: TaskId | null } }
  /** Another card that is running in the same directory. */
  directory_user: { ask: { readonly path: string; readonly except: TaskId }; answer: TaskId | null }
  /** Other cards with a worktree on this branch of this repository, unfinished ones first, then the latest. */
  branch_holders: {
    ask: { readonly repo: string | null; readonly branch: string | null; readonly except: TaskId }
    answer: readonly BranchHolder[]
  }
  /** An unfinished card that works in this card's folder, or will work in it, because it names the same branch. */
  folder_user: {
    ask: { readonly owner: TaskId; readonly repo: string | null; readonly branch: string | null }
    answer: TaskId | null
  }
}

export type FactName = keyof FactTypes
export type FactQuery = { [N in FactName]: { readonly fact: N } & FactTypes[N]['ask'] }[FactName]
export type FactQueries = Readonly<Record<string, FactQuery>>

export type FactValue<Q extends FactQuery> = FactTypes[Q['fact']]['answer']
export type FactValues<Queries extends FactQueries> = { readonly [K in keyof Queries]: FactValue<Queries[K]> }
