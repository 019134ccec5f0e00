/** The meaning of each status, in one table: a new status does not compile until its row is complete. */
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
  | 'reopen'
  | 'request_changes'
  | 'request_review'
  | 'schedule'
  | 'specify'
  | 'unarchive'
  | 'unblock'

interface StatusFacts {
  /** Whether the card is finished. A finished card no longer gates its children. */
  readonly isSatisfied: boolean
  /** Whether the card waits for a person to answer or to decide. */
  readonly awaitsPerson: boolean
  /** Whether open parents move the card between todo and ready. */
  readonly followsParents: boolean
  /**
   * Whether the card reserves its branch, so that other cards cannot use it. A card in todo does not reserve its
   * branch, because a parent may need the branch.
   */
  readonly keepsBranch: boolean
  readonly accepts: readonly StatusCommand[]
}

const UNFINISHED = { isSatisfied: false, awaitsPerson: false, followsParents: false, keepsBranch: true } as const
const FINISHED = { ...UNFINISHED, isSatisfied: true, keepsBranch: false } as const

const STATUS_FACTS: Readonly<Record<Status, StatusFacts>> = {
  triage: { ...UNFINISHED, awaitsPerson: true, accepts: ['decompose', 'promote', 'specify'] },
  todo: { ...UNFINISHED, followsParents: true, keepsBranch: false, accepts: ['promote', 'schedule'] },
  scheduled: { ...UNFINISHED, accepts: ['schedule', 'unblock'] },
  ready: { ...UNFINISHED, followsParents: true, accepts: ['block', 'complete', 'request_review', 'schedule'] },
  running: { ...UNFINISHED, accepts: [] },
  review: { ...UNFINISHED, accepts: ['approve', 'block', 'complete', 'land', 'reopen', 'request_changes'] },
  blocked: { ...UNFINISHED, awaitsPerson: true, accepts: ['complete', 'promote', 'schedule', 'unblock'] },
  done: { ...FINISHED, accepts: ['land', 'reopen'] },
  archived: { ...FINISHED, accepts: ['land', 'reopen', 'unarchive'] },
}

export const isSatisfied = (status: Status): boolean => STATUS_FACTS[status].isSatisfied
export const awaitsPerson = (status: Status): boolean => STATUS_FACTS[status].awaitsPerson
export const followsParents = (status: Status): boolean => STATUS_FACTS[status].followsParents
export const keepsBranch = (status: Status): boolean => STATUS_FACTS[status].keepsBranch

export const accepts = (status: Status, command: StatusCommand): boolean =>
  STATUS_FACTS[status].accepts.includes(command)

/** The status of a card with an open run. */
export const RUNNING = 'running' satisfies Status
/** The status of a card that waits for its reviewer. */
export const IN_REVIEW = 'review' satisfies Status
/** The status of a card that waits for an answer or a decision. */
export const BLOCKED = 'blocked' satisfies Status

export const isReady = (status: Status): boolean => status === 'ready'
export const isRunning = (status: Status): boolean => status === RUNNING
export const isInReview = (status: Status): boolean => status === IN_REVIEW
export const isBlocked = (status: Status): boolean => status === BLOCKED
export const isInTriage = (status: Status): boolean => status === 'triage'
export const isArchived = (status: Status): boolean => status === 'archived'

interface Blocked {
  readonly status: Status
  readonly blockKind: BlockKind | null
}

/** Whether a worker or a person blocked the card. A block by the board itself is not a question. */
export const acceptsAnswer = ({ status, blockKind }: Blocked): boolean =>
  isBlocked(status) && (blockKind === null || ASKED_BLOCK_KINDS.some((kind) => kind === blockKind))

/** Whether the card waits for an answer, and not for another kind of help. */
export const asksQuestion = ({ status, blockKind }: Blocked): boolean =>
  isBlocked(status) && (blockKind === null || blockKind === 'needs_input')

/** Whether the card returns to its reviewer when a person unblocks it or its scheduled time comes. */
export const resumesInReview = ({ resumeStatus }: { readonly resumeStatus: Status | null }): boolean =>
  resumeStatus === IN_REVIEW
