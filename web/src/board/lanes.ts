/**
 * The columns that a person sees, which are called lanes. They differ from the statuses: one lane has the cards in
 * `todo` and in `scheduled`.
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

/** The lane that shows cards of this status. This is undefined for archived cards. */
export const laneOf = (status: Status): LaneName | undefined => LANES.find((lane) => STATUSES_OF[lane].includes(status))

/** The status whose icon the lane shows. */
export const iconOf = (lane: LaneName): Status => STATUSES_OF[lane][0] ?? 'todo'

export interface Lane {
  readonly name: LaneName
  /** The exact number of cards in the lane. Only the first of them are loaded. */
  readonly count: number
  /** Whether more cards may match than were counted. */
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

/**
 * Joins the cards of the columns of a lane. The cards of a column are added only if the column before it is loaded
 * completely.
 */
function inOrder([first, ...rest]: readonly Column[]): readonly BoardCard[] {
  if (first === undefined) return []
  return first.cards.length < first.count ? first.cards : [...first.cards, ...inOrder(rest)]
}

/** The first column of a lane that has more cards than are loaded. Undefined if all columns are complete. */
export const unfinishedColumn = (lane: LaneName, columns: readonly Column[]): Column | undefined =>
  columns.find(({ status, count, cards }) => STATUSES_OF[lane].includes(status) && cards.length < count)

/** The lanes of which usually only the number of cards matters. */
const USUALLY_SHUT: ReadonlySet<LaneName> = new Set(['triage', 'done'])

/**
 * Whether the lane is collapsed to a narrow rail, because it is empty or usually only its number of cards matters. A
 * person can open a rail.
 */
export const isRail = (
  { name, count }: Lane,
  { opened, showsEmpty }: { readonly opened: ReadonlySet<string>; readonly showsEmpty: boolean },
): boolean => !opened.has(name) && (USUALLY_SHUT.has(name) || (count === 0 && !showsEmpty))

/** The start time of the oldest run in the lane. Null means that no card of the lane runs. */
export const oldestRun = ({ name, cards }: Lane): number | null => {
  const starts = name === RUNNING ? cards.flatMap(({ run }) => (run === null ? [] : [run.startedAt])) : []
  return starts.length === 0 ? null : Math.min(...starts)
}

/** The time that the card shows: the time at which it got its present state. */
export function stateSince(card: BoardCard): number {
  const lastBlock = card.recentBlocks.findLast(({ kind }) => kind === card.blockKind)?.at
  const times: Readonly<Partial<Record<Status, number | null | undefined>>> = {
    blocked: lastBlock,
    review: card.reviewRequestedAt,
    done: card.completedAt,
  }
  return times[card.status] ?? card.createdAt
}
