/** The meaning of each status, in one table. The compiler reports a status without a row. */
import { ASKED_BLOCK_KINDS } from './vocabulary.ts'
import type { BlockKind, Status } from './vocabulary.ts'

/** Commands that a card accepts only in some statuses. A running card takes commands through its run instead. */
type StatusCommand =
  | 'approve'
  | 'block'
  | 'complete'
  | 'decompose'
  | 'land'
  | 'promote'
  | 'reorder'
  | 'reopen'
  | 'request_changes'
  | 'request_review'
  | 'schedule'
  | 'specify'
  | 'unarchive'
  | 'unblock'

interface StatusFacts {
  /** Whether the card is finished. Its children do not wait for a finished card. */
  readonly isSatisfied: boolean
  /** Whether the card waits for an answer or a decision of a person. */
  readonly awaitsPerson: boolean
  /** Whether the card moves between todo and ready when its parents finish or reopen. */
  readonly followsParents: boolean
  /**
   * Whether the card reserves its branch, so that other cards cannot use the branch. A card in todo reserves no branch,
   * because a parent may need it.
   */
  readonly keepsBranch: boolean
  readonly accepts: readonly StatusCommand[]
}

const UNFINISHED = { isSatisfied: false, awaitsPerson: false, followsParents: false, keepsBranch: true } as const
const FINISHED = { ...UNFINISHED, isSatisfied: true, keepsBranch: false } as const

const STATUS_FACTS: Readonly<Record<Status, StatusFacts>> = {
  triage: { ...UNFINISHED, awaitsPerson: true, accepts: ['decompose', 'promote', 'reorder', 'specify'] },
  todo: { ...UNFINISHED, followsParents: true, keepsBranch: false, accepts: ['promote', 'reorder', 'schedule'] },
  scheduled: { ...UNFINISHED, accepts: ['reorder', 'schedule', 'unblock'] },
  ready: {
    ...UNFINISHED,
    followsParents: true,
    accepts: ['block', 'complete', 'reorder', 'request_review', 'schedule'],
  },
  running: { ...UNFINISHED, accepts: [] },
  review: { ...UNFINISHED, accepts: ['approve', 'block', 'complete', 'land', 'reopen', 'reorder', 'request_changes'] },
  blocked: { ...UNFINISHED, awaitsPerson: true, accepts: ['complete', 'promote', 'reorder', 'schedule', 'unblock'] },
  done: { ...FINISHED, accepts: ['land', 'reopen'] },
  archived: { ...FINISHED, accepts: ['land', 'reopen', 'unarchive'] },
}

export const isSatisfied = (status: Status): boolean => STATUS_FACTS[status].isSatisfied
export const awaitsPerson = (status: Status): boolean => STATUS_FACTS[status].awaitsPerson
export const followsParents = (status: Status): boolean => STATUS_FACTS[status].followsParents
export const keepsBranch = (status: Status): boolean => STATUS_FACTS[status].keepsBranch

export const accepts = (status: Status, command: StatusCommand): boolean =>
  STATUS_FACTS[status].accepts.includes(command)

/** The status of a card that starts as soon as no gate holds it back. */
export const READY = 'ready' satisfies Status
/** The status of a card with an open run. */
export const RUNNING = 'running' satisfies Status
/** The status of a card that waits for its reviewer. */
export const IN_REVIEW = 'review' satisfies Status
/** The status of a card that waits for an answer or a decision. */
export const BLOCKED = 'blocked' satisfies Status

export const isReady = (status: Status): boolean => status === READY
export const isRunning = (status: Status): boolean => status === RUNNING
export const isInReview = (status: Status): boolean => status === IN_REVIEW
export const isBlocked = (status: Status): boolean => status === BLOCKED
export const isInTriage = (status: Status): boolean => status === 'triage'
export const isScheduled = (status: Status): boolean => status === 'scheduled'
export const isDone = (status: Status): boolean => status === 'done'
export const isArchived = (status: Status): boolean => status === 'archived'

interface Blocked {
  readonly status: Status
  readonly blockKind: BlockKind | null
}

/** Whether a person may answer the card. A card that the board itself blocked has asked no question. */
export const acceptsAnswer = ({ status, blockKind }: Blocked): boolean =>
  isBlocked(status) && (blockKind === null || ASKED_BLOCK_KINDS.some((kind) => kind === blockKind))

/** Whether the card waits for an answer, and not for another kind of help. */
export const asksQuestion = ({ status, blockKind }: Blocked): boolean =>
  isBlocked(status) && (blockKind === null || blockKind === 'needs_input')

/** Whether the card returns to review when a person unblocks the card or its scheduled time comes. */
export const resumesInReview = ({ resumeStatus }: { readonly resumeStatus: Status | null }): boolean =>
  resumeStatus === IN_REVIEW
