/** The inbox: everything that waits for a person. Each item is a card or an account. */
import { REMEDY_OPERATIONS } from './reasons/reason.ts'
import type { Remedy } from './reasons/reason.ts'
import type { Task } from './task.ts'

/** The kinds of items, in the order of the inbox: first those that hold back the most work. */
export const INBOX_KINDS = [
  /** A paused account holds back every card of its agents. */
  'account',
  /** The agent asked a question. */
  'question',
  /** An agent wrote commands that need approval. */
  'approval',
  /** The card waits for a person to review it. */
  'review',
  /** The card failed too often. */
  'stopped',
  /** The card is blocked for another reason. */
  'blocked',
  /** The agent of the card does not exist or cannot run on this machine. */
  'agent',
  'triage',
  /** The work of a finished worktree card is on its own branch only. */
  'unlanded',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]
export type CardInboxKind = Exclude<InboxKind, 'account'>

/** The operations that clear an item. */
export const INBOX_OPERATIONS = [...REMEDY_OPERATIONS, 'diff', 'land'] as const

/** One call that clears an item. `asks` are the fields of the input that the person chooses. */
export interface InboxRemedy extends Omit<Remedy, 'operation'> {
  readonly operation: (typeof INBOX_OPERATIONS)[number]
}

/** An item that a person hid. It is shown again when its card or account changes. */
export interface InboxMark {
  readonly kind: 'card' | 'account'
  /** The id of the card, or the name of the account. */
  readonly name: string
  /** Empty for an account. */
  readonly board: string
  /** The time of the last change to the card or account before it was hidden. A later change shows the item again. */
  readonly version: number
  /** When the item is shown again. Null means only after a change. */
  readonly hiddenUntil: number | null
  readonly markedBy: string
  readonly markedAt: number
}

type Dated = Pick<Task, 'blockKind' | 'recentBlocks' | 'reviewRequestedAt' | 'completedAt' | 'createdAt' | 'updatedAt'>

/** When the card began to wait for a person. If that time is not recorded, this is the time of the last change. */
export function waitsSince(kind: CardInboxKind, task: Dated): number {
  switch (kind) {
    case 'question':
    case 'stopped':
    case 'blocked':
      return lastBlockAt(task) ?? task.updatedAt
    case 'triage':
      return task.blockKind === null ? task.createdAt : (lastBlockAt(task) ?? task.updatedAt)
    case 'review':
      return task.reviewRequestedAt ?? task.updatedAt
    case 'unlanded':
      return task.completedAt ?? task.updatedAt
    case 'approval':
    case 'agent':
      return task.updatedAt
  }
}

const lastBlockAt = ({ recentBlocks, blockKind }: Dated): number | null =>
  recentBlocks.findLast(({ kind }) => kind === blockKind)?.at ?? null
