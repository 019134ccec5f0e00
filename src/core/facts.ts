/** What a verb may ask of the store beyond its rows. Each is one indexed query; none returns a graph. */
import type { AttachmentId, CommentId, RunId, TaskId } from './ids.ts'
import type { Task } from './task.ts'
import type { BranchHolder } from './gates/workspace-gates.ts'

export interface FactTypes {
  /** Parents that gate a card: unsatisfied, not deleted, not waived. By id. */
  open_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** The same, waived links included: what would gate the card if its waivers fell. */
  unsatisfied_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** Whether `to` can be reached from `from` by walking parent → child, deleted cards included. */
  reaches: { ask: { readonly from: TaskId; readonly to: TaskId }; answer: boolean }
  link: { ask: { readonly parent: TaskId; readonly child: TaskId }; answer: { readonly waived: boolean } | null }
  /** Cards by id, on any board: ids are unique in the store. */
  cards: {
    ask: { readonly ids: readonly TaskId[] }
    answer: readonly Pick<Task, 'id' | 'board' | 'title' | 'createdBy' | 'createdByRun' | 'status' | 'deletedAt'>[]
  }
  /** Which of these are direct children of a card. */
  children_among: { ask: { readonly parent: TaskId; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** A child, not in the trash, that is not finished: it may still need what its parent left. */
  unfinished_child: { ask: { readonly parent: TaskId }; answer: TaskId | null }
  /** A parent, also one in the trash, whose folder is being removed: nobody begins to need it now. */
  sweeping_parent: { ask: { readonly child: TaskId }; answer: TaskId | null }
  /** Whether a one-time notice was shown; `record_notice` records it. */
  notice_shown: { ask: { readonly about: string }; answer: boolean }
  /** Who last wrote the body of a card, or approved it as a script; null: whoever made the card. */
  body_writer: { ask: { readonly task: TaskId | null }; answer: string | null }
  /** The card that holds an idempotency key. Archived cards hold none. */
  by_key: { ask: { readonly key: string | null }; answer: Task | null }
  /** The number of a card's last attempt; 0 before the first. */
  last_attempt: { ask: { readonly task: TaskId }; answer: number }
  /** Start times of the attempts that count against the attempts bound, latest first. */
  attempt_starts: { ask: { readonly task: TaskId; readonly most: number }; answer: readonly number[] }
  /** Those of some cards that an agent was at work on, as far as it got to start. Nobody has worked on none. */
  worked_on: { ask: { readonly agent: string | null; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** A run of any board. */
  run_exists: {
    ask: { readonly id: RunId }
    answer: { readonly board: string; readonly taskId: TaskId; readonly ended: boolean } | null
  }
  /** How many cards a run has created, and how many levels below a person's card the next one would be. */
  run_spread: { ask: { readonly run: RunId | null }; answer: { readonly cards: number; readonly depth: number } }
  /** Open agent runs, counted the four ways that caps count. */
  open_runs: {
    ask: { readonly machine: string | null; readonly agent: string | null; readonly account: string | null }
    answer: { readonly machine: number; readonly board: number; readonly agent: number; readonly account: number }
  }
  /** Where a comment or an attachment of this id stands, on any card: sent again, it is there already. */
  comment: { ask: { readonly id: CommentId | null }; answer: { readonly taskId: TaskId } | null }
  attachment: {
    ask: { readonly id: AttachmentId }
    answer: { readonly taskId: TaskId; readonly filename: string } | null
  }
  /** Whether anything stands on the board, the trash included, and a card of it that is running. */
  board_use: { ask: Record<never, never>; answer: { readonly hasCards: boolean; readonly running: TaskId | null } }
  /** Another card that runs in the same directory now. */
  directory_user: { ask: { readonly path: string; readonly except: TaskId }; answer: TaskId | null }
  /** Other cards with a worktree on this branch of this repository, unfinished ones first, then the latest. */
  branch_holders: {
    ask: { readonly repo: string | null; readonly branch: string | null; readonly except: TaskId }
    answer: readonly BranchHolder[]
  }
  /** An unfinished card that works in this card's folder, or will because it names the same branch. */
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
