/** The inbox lists every card and account that waits for a person. */
import { REMEDY_OPERATIONS } from './reasons/reason.ts'
import type { Remedy } from './reasons/reason.ts'
import type { Task } from './task.ts'

/** The kinds of inbox items, in display order. Kinds that block the most work come first. */
export const INBOX_KINDS = [
  /** An account is paused, so none of its agents can start a card. */
  'account',
  'question',
  /** An agent wrote commands that need approval. */
  'approval',
  /** The card waits for a person to review it. */
  'review',
  /** The entries of a tournament have ended, and a person picks the winner. */
  'pick',
  /** The card failed too often. */
  'stopped',
  /** The card is blocked for another reason. */
  'blocked',
  /** The agent of the card does not exist or cannot run on this machine. */
  'agent',
  'triage',
  /** A finished worktree card has changes that have not landed: they are only on the card's own branch. */
  'unlanded',
] as const
export type InboxKind = (typeof INBOX_KINDS)[number]
export type CardInboxKind = Exclude<InboxKind, 'account'>

/** The operations that an inbox item can offer. */
export const INBOX_OPERATIONS = [...REMEDY_OPERATIONS, 'diff', 'land'] as const

/** A call that removes an item from the inbox. `asks` names the fields whose values the person chooses. */
export interface InboxRemedy extends Omit<Remedy, 'operation'> {
  readonly operation: (typeof INBOX_OPERATIONS)[number]
}

/**
 * A card or account that a person hid from the inbox. It is shown again after `hiddenUntil`, or as soon as it changes.
 */
export interface InboxMark {
  readonly kind: 'card' | 'account'
  /** The id of the card, or the name of the account. */
  readonly name: string
  /** The board of the card. Empty if the hidden item is an account. */
  readonly board: string
  /** The time of the last change of the card or account when the person hid it. A later change shows the item again. */
  readonly version: number
  /** The time at which the item is shown again. Null means that only a change shows it again. */
  readonly hiddenUntil: number | null
  readonly markedBy: string
  readonly markedAt: number
}

type Dated = Pick<
  Task,
  'blockKind' | 'recentBlocks' | 'reviewRequestedAt' | 'completedAt' | 'createdAt' | 'updatedAt' | 'pickSince'
>

/**
 * Returns the time at which the card began to wait for a person. If that time is not recorded, returns the time of the
 * last change.
 */
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
    case 'pick':
      return task.pickSince ?? task.updatedAt
    case 'unlanded':
      return task.completedAt ?? task.updatedAt
    case 'approval':
    case 'agent':
      return task.updatedAt
  }
}

const lastBlockAt = ({ recentBlocks, blockKind }: Dated): number | null =>
  recentBlocks.findLast(({ kind }) => kind === blockKind)?.at ?? null
