/**
 * The columns that a person sees are called lanes. A lane may have several statuses: `todo` and `scheduled` share one
 * lane.
 */
import { RUNNING } from '../../../src/core/status.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import type { BoardCard, Column } from '../api/queries.ts'

/** The lanes. Archived cards are shown only if a filter requests them. */
export const LANES = ['triage', 'waiting', 'ready', 'running', 'review', 'blocked', 'done', 'archived'] as const
export type LaneName = (typeof LANES)[number]

export const STATUSES_OF: Readonly<Record<LaneName, readonly Status[]>> = {
  triage: ['triage'],
  waiting: ['todo', 'scheduled'],
  ready: ['ready'],
  running: ['running'],
  review: ['review'],
  blocked: ['blocked'],
  done: ['done'],
  archived: ['archived'],
}

/** Returns the lane for a status. Archived cards have no lane, so the result is undefined. */
export const laneOf = (status: Status): LaneName | undefined => LANES.find((lane) => STATUSES_OF[lane].includes(status))

/** The status whose icon the lane shows. */
export const iconOf = (lane: LaneName): Status => STATUSES_OF[lane][0] ?? 'todo'

export interface Lane {
  readonly name: LaneName
  /** The exact number of cards in the lane, of which only the first are loaded. */
  readonly count: number
  /** Whether there may be more cards than were counted. */
  readonly isCut: boolean
  readonly cards: readonly BoardCard[]
}

export const lanesOf = (columns: readonly Column[]): readonly Lane[] =>
  LANES.flatMap((name): Lane[] => {
    const parts = columns.filter(({ status }) => STATUSES_OF[name].includes(status))
    if (parts.length === 0) return []
    return [
      {
        name,
        count: parts.reduce((sum, { count }) => sum + count, 0),
        isCut: parts.some(({ isExact }) => !isExact),
        cards: inOrder(parts),
      },
    ]
  })

/** Joins the cards of a lane's columns. The next column is added only after the previous one has loaded completely. */
function inOrder([first, ...rest]: readonly Column[]): readonly BoardCard[] {
  if (first === undefined) return []
  return first.cards.length < first.count ? first.cards : [...first.cards, ...inOrder(rest)]
}

/** Returns the first column of a lane that has not loaded all its cards. Undefined if all columns are complete. */
export const unfinishedColumn = (lane: LaneName, columns: readonly Column[]): Column | undefined =>
  columns.find(({ status, count, cards }) => STATUSES_OF[lane].includes(status) && cards.length < count)

/** The latest attempt that the card shows. Null for a card that was tried at most once. */
export function shownAttempt({ run, work }: Pick<BoardCard, 'run' | 'work'>): number | null {
  const attempt = run?.attempt ?? work?.attempt ?? 0
  return attempt > 1 ? attempt : null
}

/** Lanes that show only the number of their cards by default. */
const USUALLY_SHUT: ReadonlySet<LaneName> = new Set(['triage', 'done'])

/**
 * Whether the lane is a narrow rail, because it is empty or shows only a number by default. A person can open a rail.
 */
export const isRail = (
  { name, count }: Lane,
  { opened, showsEmpty }: { readonly opened: ReadonlySet<string>; readonly showsEmpty: boolean },
): boolean => !opened.has(name) && (USUALLY_SHUT.has(name) || (count === 0 && !showsEmpty))

/**
 * The lane that a phone shows first: the running cards. If no card runs, the first lane with cards that a wide board
 * shows open.
 */
export const firstLane = (lanes: readonly Lane[]): LaneName | undefined =>
  (
    lanes.find(({ name, count }) => name === RUNNING && count > 0) ??
    lanes.find(({ name, count }) => count > 0 && !USUALLY_SHUT.has(name)) ??
    lanes[0]
  )?.name

/** The start time of the oldest run in the lane. Null means that no card of the lane runs. */
export const oldestRun = ({ name, cards }: Lane): number | null => {
  const starts = name === RUNNING ? cards.flatMap(({ run }) => (run === null ? [] : [run.startedAt])) : []
  return starts.length === 0 ? null : Math.min(...starts)
}

/** Returns when the card got its current state, which is the time that the card shows. */
export function stateSince(card: BoardCard): number {
  const lastBlock = card.recentBlocks.findLast(({ kind }) => kind === card.blockKind)?.at
  const times: Readonly<Partial<Record<Status, number | null | undefined>>> = {
    blocked: lastBlock,
    review: card.reviewRequestedAt,
    done: card.completedAt,
  }
  return times[card.status] ?? card.createdAt
}
