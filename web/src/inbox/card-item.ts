import type { InboxItem } from '../api/queries.ts'

/** An inbox item that is a card. All other items are accounts. */
export interface CardItem extends InboxItem {
  readonly task: NonNullable<InboxItem['task']>
  readonly board: string
}

export const isCardItem = (item: InboxItem): item is CardItem => item.task !== null && item.board !== null

/** Returns the call that the server currently offers for this item. Undefined if it offers none. */
export const remedyOf = (
  { remedies }: Pick<InboxItem, 'remedies'>,
  operation: InboxItem['remedies'][number]['operation'],
): InboxItem['remedies'][number] | undefined => remedies.find((remedy) => remedy.operation === operation)

/** Returns the name of an item for use in messages. */
export const nameOf = ({ task, account, id }: Pick<InboxItem, 'task' | 'account' | 'id'>): string =>
  task?.title ?? account ?? id
