/**
 * A tournament: several agents do the same work, and one result wins. The card of the tournament (the root) never runs
 * an agent. It waits for its entries, then for a pick, and then it has the result of the winner.
 *
 * This file does not load the schema library, because commands that only read run without it.
 */
import { TOURNAMENT_ACTOR, actorName } from '../actor.ts'
import type { TaskId } from '../ids.ts'
import { isArchived, isBlocked, isDone, isInReview, isRunning, isSatisfied, resumesInReview } from '../status.ts'
import type { Task } from '../task.ts'
import type { Picker } from '../vocabulary.ts'

/** The actor that blocks a tournament without finished entries, and that picks the only finished entry. */
export const TOURNAMENT_NAME = actorName(TOURNAMENT_ACTOR)

export interface JudgeUsage {
  readonly model: string
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly costUsd: number | null
}

/** The tries of the judge to pick a winner. */
export interface Judging {
  /** The number of tries. Only the last one may pick. */
  readonly attempts: number
  /** The number of tries that failed. Interrupted tries do not count. */
  readonly failures: number
  /** The judge is not asked before this time. During a try, no other machine asks it. */
  readonly after: number
  /** The finished entries in the order in which the judge of the last try saw them. */
  readonly order: readonly TaskId[]
  /** Why the last try failed. */
  readonly failure: string | null
  /** The usage of all tries. Null if no model reported its usage. */
  readonly usage: JudgeUsage | null
}

/** A decision for one entry. */
export interface EntryPick {
  readonly winner: TaskId
  /** The agent of the winner. */
  readonly agent: string | null
  /** The actor that picked the winner. */
  readonly by: string
  readonly reason: string | null
  readonly at: number
  /** The entries in the order in which the judge saw them. Null if no model was asked. */
  readonly order: readonly TaskId[] | null
}

export interface Tournament {
  readonly entries: readonly TaskId[]
  /** Whether the judge or a person picks the winner now. If the judge gives up, a person picks. */
  readonly picker: Picker
  readonly judging: Judging | null
  /** The last pick. If the card is reopened, it stays until the next pick. */
  readonly pick: EntryPick | null
}

/** The field that shows whether a card is a tournament. */
export interface HasTournament {
  readonly tournament: object | null
}

export const isTournament = ({ tournament }: HasTournament): boolean => tournament != null

/** The fields of an entry that determine its state in the tournament. */
export type Entry = Pick<Task, 'id' | 'title' | 'status' | 'assignee' | 'deletedAt' | 'blockKind' | 'blockReason'>

/**
 * - `playing`: the entry can still finish without a person.
 * - `passed`: the entry is done, so its checks have passed.
 * - `out`: the entry is blocked, archived or deleted. An entry that is unblocked is `playing` again.
 */
export type EntryState = 'playing' | 'passed' | 'out'

export function entryState({ status, deletedAt }: Pick<Entry, 'status' | 'deletedAt'>): EntryState {
  if (deletedAt !== null || isArchived(status) || isBlocked(status)) return 'out'
  return isDone(status) ? 'passed' : 'playing'
}

export interface Field<E> {
  readonly playing: readonly E[]
  readonly passed: readonly E[]
  readonly out: readonly E[]
}

export const fieldOf = <E extends Pick<Entry, 'status' | 'deletedAt'>>(entries: readonly E[]): Field<E> => ({
  playing: entries.filter((entry) => entryState(entry) === 'playing'),
  passed: entries.filter((entry) => entryState(entry) === 'passed'),
  out: entries.filter((entry) => entryState(entry) === 'out'),
})

/** Whether a person may pick the entry. An archived loser of an earlier pick has finished too. */
export const hasFinished = ({ status, deletedAt, archivedFrom }: Pick<Task, 'status' | 'deletedAt' | 'archivedFrom'>) =>
  deletedAt === null && (isDone(status) || (isArchived(status) && archivedFrom === 'done'))

/** Whether the card is a tournament that has no result yet. */
export const awaitsPick = (task: Pick<Task, 'status' | 'resumeStatus'> & HasTournament): boolean =>
  isTournament(task) && !isSatisfied(task.status) && !isReviewed(task)

/** Whether the card is in review. The review may be running or blocked. */
const isReviewed = (task: Pick<Task, 'status' | 'resumeStatus'>): boolean =>
  isInReview(task.status) || isRunning(task.status) || resumesInReview(task)

/** Whether the judge picks the next winner. The judge makes only the first pick; a person makes all later picks. */
export const judgePicks = ({ picker, pick }: Tournament): boolean => picker === 'judge' && pick === null

/** Whether the board blocked the tournament because every entry is out. The board also ends such a block. */
export const isWithoutEntries = ({
  tournament,
  status,
  blockedBy,
}: Pick<Task, 'tournament' | 'status' | 'blockedBy'>) =>
  tournament !== null && isBlocked(status) && blockedBy === TOURNAMENT_NAME

/** How an entry ended, in a few words: `t_9f (claude): blocked, exit 3`. */
export function entryEnding({ id, assignee, status, deletedAt, blockReason }: Entry): string {
  const how = deletedAt !== null ? 'deleted' : status
  return `${id} (${assignee ?? 'unassigned'}): ${how}${how === 'blocked' && blockReason !== null ? `, ${blockReason}` : ''}`
}
