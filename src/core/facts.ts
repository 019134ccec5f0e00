/** Facts that a verb may request from the store, in addition to its rows. Each fact is one indexed query. */
import type { AttachmentId, CommentId, RunId, SeriesId, TaskId } from './ids.ts'
import type { Run } from './run.ts'
import type { SavedView } from './saved-view.ts'
import type { SwarmMember, Verification } from './swarm.ts'
import type { Task } from './task.ts'
import type { BranchHolder } from './gates/workspace-gates.ts'
import type { Place } from './limits/place.ts'
import type { Status } from './vocabulary.ts'

export interface FactTypes {
  /** The parents that a card waits for, sorted by id. Finished, deleted and waived parents are left out. */
  open_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** Like `open_parents`, but including parents whose link a person waived. */
  unsatisfied_parents: { ask: { readonly child: TaskId }; answer: readonly TaskId[] }
  /** Whether a path of links leads from the card `from` down to the card `to`. Links of deleted cards count too. */
  reaches: { ask: { readonly from: TaskId; readonly to: TaskId }; answer: boolean }
  link: { ask: { readonly parent: TaskId; readonly child: TaskId }; answer: { readonly waived: boolean } | null }
  /** Cards by id, on any board. Ids are unique in the store. */
  cards: {
    ask: { readonly ids: readonly TaskId[] }
    answer: readonly Pick<Task, 'id' | 'board' | 'title' | 'createdBy' | 'createdByRun' | 'status' | 'deletedAt'>[]
  }
  /** The cards among `ids` that are direct children of `parent`. */
  children_among: { ask: { readonly parent: TaskId; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** An unfinished child that is not in the trash. Such a child may still need the parent's files. */
  unfinished_child: { ask: { readonly parent: TaskId }; answer: TaskId | null }
  /** A parent whose folder is being removed. The parent may be in the trash. */
  sweeping_parent: { ask: { readonly child: TaskId }; answer: TaskId | null }
  /** Whether a one-time notice was shown. The change `record_notice` records that it was shown. */
  notice_shown: { ask: { readonly about: string }; answer: boolean }
  /**
   * The actor that last wrote the body, or the person who approved the body as a script. Null means that the creator of
   * the card wrote the body.
   */
  body_writer: { ask: { readonly task: TaskId | null }; answer: string | null }
  /** The card that a series created for one of its times. */
  series_card: { ask: { readonly series: SeriesId; readonly slot: number | null }; answer: TaskId | null }
  saved_view: { ask: { readonly name: string }; answer: SavedView | null }
  /**
   * The next card of a column above or below a place, without the card `except`. Without `from`, the search starts at
   * the end of the column. If `place` is null, the answer is null.
   */
  neighbour: {
    ask: {
      readonly place: { readonly status: Status; readonly from: Place | null } | null
      readonly direction: 'up' | 'down'
      readonly except: TaskId
    }
    answer: Place | null
  }
  /** The verifier that a synthesizer waits for. Null if no card is asked for, or if the card is not a synthesizer. */
  verification: { ask: { readonly synthesizer: TaskId | null }; answer: Verification | null }
  /** The cards of a swarm, sorted by role and id. Deleted cards are included. The list is empty if `root` is null. */
  swarm_members: { ask: { readonly root: TaskId | null }; answer: readonly SwarmMember[] }
  /** The number of entries of a blackboard, and whether it has an entry with this key. */
  blackboard_use: {
    ask: { readonly root: TaskId; readonly key: string }
    answer: { readonly entries: number; readonly hasKey: boolean }
  }
  /** The card with this idempotency key. Archiving a card frees its key for another card. */
  by_key: { ask: { readonly key: string | null }; answer: Task | null }
  /** The number of a card's last attempt. 0 means that the card has had no attempt. */
  last_attempt: { ask: { readonly task: TaskId }; answer: number }
  /**
   * The results of the runs of a finished card: its last summary, and the last changes with the machine that made them.
   */
  run_results: {
    ask: { readonly task: TaskId | null }
    answer: Pick<Run, 'summary' | 'changes' | 'machine' | 'dispatcher'> | null
  }
  /** Start times of the attempts that count against the attempts limit, latest first. */
  attempt_starts: { ask: { readonly task: TaskId; readonly most: number }; answer: readonly number[] }
  /** Start times of the board's automatic planning attempts, latest first. */
  plan_starts: { ask: { readonly most: number }; answer: readonly number[] }
  /** The cards among `ids` that the agent has worked on. The list is empty if `agent` is null. */
  worked_on: { ask: { readonly agent: string | null; readonly ids: readonly TaskId[] }; answer: readonly TaskId[] }
  /** The card of a run on any board. Null means that the run does not exist. */
  run_exists: {
    ask: { readonly id: RunId }
    answer: { readonly board: string; readonly taskId: TaskId; readonly ended: boolean } | null
  }
  /**
   * The number of cards that a run has created, and the depth of the next card that it creates. A card that a person
   * created has depth 0.
   */
  run_creations: { ask: { readonly run: RunId | null }; answer: { readonly cards: number; readonly depth: number } }
  /** The open runs of agents, counted for each limit. */
  open_runs: {
    ask: { readonly machine: string | null; readonly agent: string | null; readonly account: string | null }
    answer: { readonly machine: number; readonly board: number; readonly agent: number; readonly account: number }
  }
  /**
   * The card that has the comment or attachment with this id. If such a card exists, the caller has sent the command
   * before.
   */
  comment: { ask: { readonly id: CommentId | null }; answer: { readonly taskId: TaskId } | null }
  attachment: {
    ask: { readonly id: AttachmentId }
    answer: { readonly taskId: TaskId; readonly filename: string } | null
  }
  /**
   * Whether the board has cards, including cards in the trash, and the id of one running card. The id is null if no
   * card runs.
   */
  board_use: { ask: Record<never, never>; answer: { readonly hasCards: boolean; readonly running: TaskId | null } }
  /** Another card that is running in the same directory. */
  directory_user: { ask: { readonly path: string; readonly except: TaskId }; answer: TaskId | null }
  /** Other cards with a worktree on this branch of this repository. Unfinished cards come first, then the latest. */
  branch_holders: {
    ask: { readonly repo: string | null; readonly branch: string | null; readonly except: TaskId }
    answer: readonly BranchHolder[]
  }
  /**
   * An unfinished card that works in the folder of `owner`, or that will work there because it names the same branch.
   */
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
